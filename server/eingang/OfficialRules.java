// Applies KoSIT's configuration (scenarios.xml with its schemas and Schematron stylesheets) to one invoice: the
// scenario whose XPath matches, its schema, its rules, its levels. Needs Saxon; started as a single source file:
// java -cp 'FOLDER/*' OfficialRules.java FOLDER INVOICE. Writes one line of JSON.

import java.io.BufferedInputStream;
import java.io.File;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.parsers.SAXParserFactory;
import javax.xml.transform.sax.SAXSource;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import javax.xml.validation.Validator;
import net.sf.saxon.s9api.Processor;
import net.sf.saxon.s9api.QName;
import net.sf.saxon.s9api.XPathCompiler;
import net.sf.saxon.s9api.XdmDestination;
import net.sf.saxon.s9api.XdmItem;
import net.sf.saxon.s9api.XdmNode;
import net.sf.saxon.s9api.XsltTransformer;
import org.xml.sax.ErrorHandler;
import org.xml.sax.InputSource;
import org.xml.sax.SAXParseException;
import org.xml.sax.XMLReader;

public class OfficialRules {
  record Finding(String rule, String level, String location, String text) {}

  static final int MOST = 200;
  static final int LONGEST = 600;
  static final String SCENARIOS = "http://www.xoev.de/de/validator/framework/1/scenarios";
  static final Processor SAXON = new Processor(false);
  static final List<Finding> FINDINGS = new ArrayList<>();
  static int fired = 0;

  public static void main(String[] arguments) throws Exception {
    PrintStream answer = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.setOut(System.err);
    Path folder = Path.of(arguments[0]).toRealPath();
    Path invoice = Path.of(arguments[1]);
    XdmNode scenarios = SAXON.newDocumentBuilder().build(folder.resolve("scenarios.xml").toFile());
    String name = text(rules().evaluateSingle("string(/s:scenarios/s:name)", scenarios));
    String date = text(rules().evaluateSingle("string(/s:scenarios/s:date)", scenarios));
    XdmNode document = read(invoice);
    XdmNode scenario = scenarioOf(scenarios, document);
    if (scenario != null) apply(scenario, document, invoice, folder);
    answer.println(json(name, date, scenario == null ? "" : text(rules().evaluateSingle("string(s:name)", scenario))));
  }

  static void apply(XdmNode scenario, XdmNode document, Path invoice, Path folder) throws Exception {
    Map<String, String> levels = new HashMap<>();
    for (XdmItem item : rules().evaluate("s:createReport/s:customLevel", scenario))
      for (String rule : item.getStringValue().strip().split("\\s+"))
        levels.put(rule, ((XdmNode) item).getAttributeValue(new QName("level")));
    for (XdmItem item : rules().evaluate("s:validateWithXmlSchema/s:resource/s:location", scenario))
      checkSchema(inside(folder, item.getStringValue()), invoice);
    // What is not built as the schema says cannot be asked further.
    if (!FINDINGS.isEmpty()) return;
    for (XdmItem item : rules().evaluate("s:validateWithSchematron/s:resource/s:location", scenario))
      checkRules(inside(folder, item.getStringValue()), document, levels);
    if (fired == 0) throw new IllegalStateException("no rule was tried");
  }

  /** Of the first scenario that matches, as KoSIT's validator takes it. */
  static XdmNode scenarioOf(XdmNode scenarios, XdmNode document) throws Exception {
    for (XdmItem item : rules().evaluate("/s:scenarios/s:scenario", scenarios)) {
      XPathCompiler xpath = SAXON.newXPathCompiler();
      for (XdmItem space : rules().evaluate("s:namespace", item))
        xpath.declareNamespace(((XdmNode) space).getAttributeValue(new QName("prefix")), space.getStringValue().strip());
      String match = text(rules().evaluateSingle("string(s:match)", item));
      if (xpath.evaluateSingle("boolean(" + match + ")", document).getStringValue().equals("true")) return (XdmNode) item;
    }
    return null;
  }

  static File inside(Path folder, String location) {
    Path file = folder.resolve(location.strip()).normalize();
    if (!file.startsWith(folder)) throw new IllegalStateException("outside: " + location);
    return file.toFile();
  }

  static void checkSchema(File root, Path invoice) throws Exception {
    SchemaFactory factory = SchemaFactory.newDefaultInstance();
    factory.setProperty(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "file");
    Schema schema = factory.newSchema(root);
    Validator validator = schema.newValidator();
    validator.setErrorHandler(
        new ErrorHandler() {
          @Override public void warning(SAXParseException fault) { say(fault, "warning"); }
          @Override public void error(SAXParseException fault) { say(fault, "error"); }
          @Override public void fatalError(SAXParseException fault) { say(fault, "error"); }

          void say(SAXParseException fault, String level) {
            add("XSD", level, "line " + fault.getLineNumber(), String.valueOf(fault.getMessage()));
          }
        });
    try (InputStream bytes = open(invoice)) {
      validator.validate(new SAXSource(reader(), new InputSource(bytes)));
    }
  }

  static void checkRules(File stylesheet, XdmNode document, Map<String, String> levels) throws Exception {
    XsltTransformer transformer = SAXON.newXsltCompiler().compile(new StreamSource(stylesheet)).load();
    XdmDestination result = new XdmDestination();
    transformer.setInitialContextNode(document);
    transformer.setDestination(result);
    transformer.transform();
    XPathCompiler xpath = SAXON.newXPathCompiler();
    xpath.declareNamespace("svrl", "http://purl.oclc.org/dsdl/svrl");
    fired += xpath.evaluate("//svrl:fired-rule", result.getXdmNode()).size();
    for (XdmItem item : xpath.evaluate("//svrl:failed-assert | //svrl:successful-report", result.getXdmNode())) {
      XdmNode node = (XdmNode) item;
      String words = node.getStringValue().strip();
      String rule = node.getAttributeValue(new QName("id"));
      if (rule == null || rule.isEmpty()) rule = words.replaceFirst("(?s)^\\[?([A-Z][A-Za-z0-9-]+)\\]?.*$", "$1");
      String flag = node.getAttributeValue(new QName("flag"));
      if (flag == null) flag = node.getAttributeValue(new QName("role"));
      String level = levels.getOrDefault(rule, flag == null ? "error" : flag);
      add(rule, level.equals("fatal") ? "error" : level, String.valueOf(node.getAttributeValue(new QName("location"))), words);
    }
  }

  static void add(String rule, String level, String location, String words) {
    if (FINDINGS.size() < MOST)
      FINDINGS.add(new Finding(head(rule), head(level), tail(location), head(words.strip().replaceAll("\\s+", " "))));
  }

  static String head(String text) {
    return text.substring(0, Math.min(LONGEST, text.length()));
  }

  /** The last steps say which line it is. */
  static String tail(String text) {
    return text.substring(Math.max(0, text.length() - LONGEST));
  }

  // --- reading a file of somebody else: no document type, so no entities, and nothing from elsewhere

  static InputStream open(Path invoice) throws Exception {
    return new BufferedInputStream(Files.newInputStream(invoice));
  }

  static XMLReader reader() throws Exception {
    SAXParserFactory factory = SAXParserFactory.newDefaultNSInstance();
    factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    return factory.newSAXParser().getXMLReader();
  }

  static XdmNode read(Path invoice) throws Exception {
    try (InputStream bytes = open(invoice)) {
      return SAXON.newDocumentBuilder().build(new SAXSource(reader(), new InputSource(bytes)));
    }
  }

  static XPathCompiler rules() {
    XPathCompiler xpath = SAXON.newXPathCompiler();
    xpath.declareNamespace("s", SCENARIOS);
    return xpath;
  }

  static String text(XdmItem item) {
    return item == null ? "" : item.getStringValue().strip().replaceAll("\\s+", " ");
  }

  // --- the answer

  static String json(String name, String date, String scenario) {
    StringBuilder line = new StringBuilder("{\"name\":" + quoted(name) + ",\"date\":" + quoted(date));
    line.append(",\"scenario\":" + quoted(scenario) + ",\"fired\":" + fired + ",\"findings\":[");
    String comma = "";
    for (Finding found : FINDINGS) {
      line.append(comma + "{\"rule\":" + quoted(found.rule()) + ",\"level\":" + quoted(found.level()));
      line.append(",\"location\":" + quoted(found.location()) + ",\"text\":" + quoted(found.text()) + "}");
      comma = ",";
    }
    return line.append("]}").toString();
  }

  static String quoted(String text) {
    StringBuilder word = new StringBuilder("\"");
    for (char letter : text.toCharArray())
      if (letter == '"' || letter == '\\') word.append('\\').append(letter);
      else if (letter < ' ' || Character.isSurrogate(letter)) word.append(String.format("\\u%04x", (int) letter));
      else word.append(letter);
    return word.append('"').toString();
  }
}
