// Puts files through the official rules in one run of Java. Each line of the input is a kind ("xml", "xml+mustang", "pdf", "pdfa"), a tab and a path; each line of the output is one JSON object per file,
// in the same order.
// Started as a single source file: java -cp <jars> Validate.java

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import javax.xml.validation.Validator;
import net.sf.saxon.s9api.DocumentBuilder;
import net.sf.saxon.s9api.Processor;
import net.sf.saxon.s9api.QName;
import net.sf.saxon.s9api.XdmDestination;
import net.sf.saxon.s9api.XdmItem;
import net.sf.saxon.s9api.XdmNode;
import net.sf.saxon.s9api.XPathCompiler;
import net.sf.saxon.s9api.XsltExecutable;
import net.sf.saxon.s9api.XsltTransformer;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDDocumentNameDictionary;
import org.apache.pdfbox.pdmodel.common.PDNameTreeNode;
import org.apache.pdfbox.pdmodel.common.filespecification.PDComplexFileSpecification;
import org.mustangproject.validator.ValidationResultItem;
import org.mustangproject.validator.ZUGFeRDValidator;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.PDFAValidator;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;
import org.w3c.dom.ls.LSInput;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXParseException;

public class Validate {
  record Finding(String source, String severity, String id, String location, String text) {}

  /** What one set of rules has to say; `fired` is how often a rule of it was tried: none of them tried is no proof. */
  static final class Report {
    final List<Finding> findings = new ArrayList<>();
    final Map<String, Integer> fired = new LinkedHashMap<>();
    String profile = "";

    void add(String source, String severity, String id, String location, String text) {
      findings.add(new Finding(source, severity, id, location, text.strip().replaceAll("\\s+", " ")));
    }
  }

  static final String XRECHNUNG = "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0";
  static final String EN16931 = "urn:cen.eu:en16931:2017";
  static final Processor SAXON = new Processor(false);
  static final Map<String, XsltExecutable> COMPILED = new LinkedHashMap<>();
  static final Map<String, Schema> SCHEMAS = new LinkedHashMap<>();

  public static void main(String[] arguments) throws Exception {
    // Libraries chat on both channels; the answers have the first one for themselves.
    PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.setOut(System.err);
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      if (line.isBlank()) continue;
      String[] parts = line.split("\t", 2);
      Path file = Path.of(parts[1]);
      Report report = new Report();
      if (parts[0].equals("pdf")) checkPdf(file, report);
      else if (parts[0].equals("pdfa")) checkPdfA(Files.readAllBytes(file), report);
      else {
        byte[] xml = Files.readAllBytes(file);
        checkXml(xml, report);
        if (parts[0].equals("xml+mustang")) checkMustang(xml, file.getFileName().toString(), report);
      }
      answers.println(json(file, report));
    }
  }

  // --- XML

  static void checkXml(byte[] xml, Report report) throws Exception {
    XdmNode document;
    try {
      DocumentBuilder builder = SAXON.newDocumentBuilder();
      document = builder.build(new StreamSource(new ByteArrayInputStream(xml)));
    } catch (Exception broken) {
      report.add("xml", "fatal", "not-well-formed", "", String.valueOf(broken.getMessage()));
      return;
    }
    report.profile = profileOf(document);
    if (isUbl(document)) {
      checkSchema("UBL 2.1", xml, report);
      checkRules("CEN 1.3.16", "external/schematron/1.3.16/ubl/EN16931-UBL-validation.xslt", document, report);
      if (report.profile.equals(XRECHNUNG))
        checkRules("XRechnung 3.0.2", "external/schematron/3.0.2/XRechnung-UBL-validation.xslt", document, report);
      else report.add("profile", "fatal", "unknown-profile", "", report.profile);
      return;
    }
    checkSchema("D16B", xml, report);
    checkSchema("ZUGFeRD 2.5", xml, report);
    checkRules("CEN 1.3.16", "external/schematron/1.3.16/cii/EN16931-CII-validation.xslt", document, report);
    switch (report.profile) {
      case XRECHNUNG -> checkRules("XRechnung 3.0.2", "external/schematron/3.0.2/XRechnung-CII-validation.xslt", document, report);
      case EN16931 -> checkRules("ZUGFeRD 2.5", "xslt/ZF_250/FACTUR-X_EN16931.xslt", document, report);
      default -> report.add("profile", "fatal", "unknown-profile", "", report.profile);
    }
  }

  static boolean isUbl(XdmNode document) throws Exception {
    XdmItem root = SAXON.newXPathCompiler().evaluateSingle("namespace-uri(/*)", document);
    return root != null && root.getStringValue().startsWith("urn:oasis:names:specification:ubl:schema:xsd:");
  }

  static String profileOf(XdmNode document) throws Exception {
    XPathCompiler xpath = SAXON.newXPathCompiler();
    XdmItem found = xpath.evaluateSingle("string((//*[local-name()='GuidelineSpecifiedDocumentContextParameter']/*[local-name()='ID'] | /*/*[local-name()='CustomizationID'])[1])", document);
    return found == null ? "" : found.getStringValue();
  }

  static void checkSchema(String name, byte[] xml, Report report) throws Exception {
    Validator validator = schema(name).newValidator();
    validator.setErrorHandler(
        new ErrorHandler() {
          @Override public void warning(SAXParseException fault) { say(fault, "warning"); }
          @Override public void error(SAXParseException fault) { say(fault, "fatal"); }
          @Override public void fatalError(SAXParseException fault) { say(fault, "fatal"); }

          void say(SAXParseException fault, String severity) {
            report.add("XSD " + name, severity, "xsd", "line " + fault.getLineNumber(), String.valueOf(fault.getMessage()));
          }
        });
    validator.validate(new StreamSource(new ByteArrayInputStream(xml)));
    report.fired.merge("XSD " + name, 1, Integer::sum);
  }

  static Schema schema(String name) throws Exception {
    Schema known = SCHEMAS.get(name);
    if (known != null) return known;
    SchemaFactory factory = SchemaFactory.newDefaultInstance();
    URL root;
    if (name.equals("UBL 2.1")) root = resource("schema/UBL_21/maindoc/UBL-Invoice-2.1.xsd");
    else if (name.equals("D16B")) root = resource("external/schemas/d16b/data/standard/CrossIndustryInvoice_100pD16B.xsd");
    else {
      String folder = "schema/ZF_250/EN16931/";
      root = resource(folder + "FACTUR-X_EN16931.xsd");
      // The schema asks for its parts by names that they do not have in the jar.
      factory.setResourceResolver(
          (type, namespace, publicId, systemId, base) ->
              systemId == null ? null : new Part(resource(folder + systemId.replaceFirst("^.*?_EN16931_", "FACTUR-X_EN16931_"))));
    }
    Schema schema = factory.newSchema(new StreamSource(root.toExternalForm()));
    SCHEMAS.put(name, schema);
    return schema;
  }

  static URL resource(String path) {
    URL found = Validate.class.getClassLoader().getResource(path);
    if (found == null) throw new IllegalStateException("not in the jars: " + path);
    return found;
  }

  static void checkRules(String name, String stylesheet, XdmNode document, Report report) throws Exception {
    XsltExecutable compiled = COMPILED.get(stylesheet);
    if (compiled == null) {
      compiled = SAXON.newXsltCompiler().compile(new StreamSource(resource(stylesheet).toExternalForm()));
      COMPILED.put(stylesheet, compiled);
    }
    XsltTransformer transformer = compiled.load();
    XdmDestination result = new XdmDestination();
    transformer.setInitialContextNode(document);
    transformer.setDestination(result);
    // Code lists lie beside the rules; an address within a jar is no base for a relative one.
    transformer.setURIResolver(
        (href, base) -> href.endsWith("_codedb.xml") ? new StreamSource(resource(stylesheet.replaceFirst("[^/]*$", "") + href).toExternalForm()) : null);
    transformer.transform();
    XPathCompiler xpath = SAXON.newXPathCompiler();
    xpath.declareNamespace("svrl", "http://purl.oclc.org/dsdl/svrl");
    int fired = xpath.evaluate("//svrl:fired-rule", result.getXdmNode()).size();
    report.fired.put(name, fired);
    for (XdmItem item : xpath.evaluate("//svrl:failed-assert | //svrl:successful-report", result.getXdmNode())) {
      XdmNode node = (XdmNode) item;
      String flag = node.getAttributeValue(new QName("flag"));
      if (flag == null) flag = node.getAttributeValue(new QName("role"));
      String text = node.getStringValue().strip();
      String id = node.getAttributeValue(new QName("id"));
      if (id == null || id.isEmpty()) id = text.replaceFirst("(?s)^\\[?([A-Z][A-Za-z0-9-]+)\\]?.*$", "$1");
      report.add(name, flag == null ? "fatal" : flag, id, String.valueOf(node.getAttributeValue(new QName("location"))), text);
    }
  }

  /** Reckons the invoice once more besides, with an arithmetic that is not ours. */
  static void checkMustang(byte[] bytes, String name, Report report) throws Exception {
    ZUGFeRDValidator mustang = new ZUGFeRDValidator();
    mustang.disableNotices();
    mustang.validate(bytes, name);
    report.fired.put("Mustang", 1);
    for (ValidationResultItem item : mustang.getContext().getResults()) {
      String severity = String.valueOf(item.getSeverity());
      if (severity.equals("notice")) continue;
      String id = item.getID() == null ? "section-" + item.getSection() : item.getID();
      report.add("Mustang", severity.equals("warning") ? "warning" : "fatal", id, String.valueOf(item.getLocation()), String.valueOf(item.getMessage()));
    }
    if (!mustang.wasCompletelyValid() && report.findings.stream().noneMatch((finding) -> finding.source().equals("Mustang")))
      report.add("Mustang", "fatal", "invalid", "", "not completely valid, and no reason is given");
  }

  // --- PDF

  static void checkPdf(Path file, Report report) throws Exception {
    byte[] bytes = Files.readAllBytes(file);
    checkPdfA(bytes, report);
    checkMustang(bytes, file.getFileName().toString(), report);
    byte[] attached;
    try (PDDocument document = Loader.loadPDF(bytes)) {
      PDComplexFileSpecification invoice = attachment(document);
      attached = invoice == null ? null : invoice.getEmbeddedFile().toByteArray();
      if (attached != null) checkMark(document, invoice, attached, report);
    }
    if (attached == null) report.add("xml", "fatal", "no-attachment", "", "no invoice is attached");
    else checkXml(attached, report);
  }

  /** As the archive wants it; whether an invoice is attached is no question here. */
  static void checkPdfA(byte[] bytes, Report report) throws Exception {
    VeraGreenfieldFoundryProvider.initialise();
    for (PDFAFlavour flavour : flavours(bytes, report)) checkFlavour(bytes, flavour, report);
  }

  static final String FACTUR_X = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#";
  static final Map<String, String> LEVELS = Map.of("EN 16931", EN16931, "XRECHNUNG", XRECHNUNG);

  /** How the file says that an invoice is in it: looked at here, because Mustang takes any namespace and any level. */
  static void checkMark(PDDocument document, PDComplexFileSpecification invoice, byte[] xml, Report report) throws Exception {
    DocumentBuilder builder = SAXON.newDocumentBuilder();
    XPathCompiler xpath = SAXON.newXPathCompiler();
    xpath.declareNamespace("fx", FACTUR_X);
    XdmNode metadata = builder.build(new StreamSource(document.getDocumentCatalog().getMetadata().exportXMPMetadata()));
    Map<String, String> mark = new LinkedHashMap<>();
    for (String name : List.of("DocumentType", "DocumentFileName", "Version", "ConformanceLevel"))
      mark.put(name, xpath.evaluateSingle("string-join((//fx:" + name + "/string(), //@fx:" + name + "/string()), '|')", metadata).getStringValue());
    demand("DocumentType", "INVOICE", mark.get("DocumentType"), report);
    demand("DocumentFileName", invoice.getFilename(), mark.get("DocumentFileName"), report);
    demand("Version", "1.0", mark.get("Version"), report);
    demand("ConformanceLevel", profileOf(builder.build(new StreamSource(new ByteArrayInputStream(xml)))), LEVELS.getOrDefault(mark.get("ConformanceLevel"), ""), report);
    demand("AFRelationship", "Alternative", String.valueOf(invoice.getCOSObject().getNameAsString("AFRelationship")), report);
    demand("Subtype", "text/xml", String.valueOf(invoice.getEmbeddedFile().getSubtype()), report);
    boolean listed = false;
    if (document.getDocumentCatalog().getCOSObject().getDictionaryObject("AF") instanceof COSArray files)
      for (int index = 0; index < files.size(); index++) listed |= files.getObject(index) == invoice.getCOSObject();
    demand("AF", "true", String.valueOf(listed), report);
    report.fired.put("Factur-X", 7);
  }

  static void demand(String what, String wanted, String found, Report report) {
    if (!wanted.equals(found)) report.add("Factur-X", "fatal", what, "", what + " is '" + found + "' and should be '" + wanted + "'");
  }

  /** factur-x.xml, or xrechnung.xml in the profile of that name, as any reader of PDF finds it. */
  static PDComplexFileSpecification attachment(PDDocument document) throws Exception {
    PDDocumentNameDictionary names = document.getDocumentCatalog().getNames();
    return names == null || names.getEmbeddedFiles() == null ? null : attachment(names.getEmbeddedFiles());
  }

  static PDComplexFileSpecification attachment(PDNameTreeNode<PDComplexFileSpecification> tree) throws Exception {
    if (tree.getNames() != null)
      for (PDComplexFileSpecification file : tree.getNames().values())
        if (List.of("factur-x.xml", "xrechnung.xml").contains(file.getFilename())) return file;
    if (tree.getKids() != null)
      for (PDNameTreeNode<PDComplexFileSpecification> kid : tree.getKids()) {
        PDComplexFileSpecification found = attachment(kid);
        if (found != null) return found;
      }
    return null;
  }

  /** The flavour that the file says it is; PDF/UA besides, where it says so. */
  static List<PDFAFlavour> flavours(byte[] bytes, Report report) throws Exception {
    List<PDFAFlavour> result = new ArrayList<>();
    try (PDFAParser parser = Foundries.defaultInstance().createParser(new ByteArrayInputStream(bytes))) {
      PDFAFlavour flavour = parser.getFlavour();
      if (flavour == null || flavour == PDFAFlavour.NO_FLAVOUR) report.add("veraPDF", "fatal", "no-pdfa", "", "the file does not say that it is PDF/A");
      else result.add(flavour);
    }
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    if (text.contains("pdfuaid:part") && !result.contains(PDFAFlavour.PDFUA_1)) result.add(PDFAFlavour.PDFUA_1);
    return result;
  }

  static void checkFlavour(byte[] bytes, PDFAFlavour flavour, Report report) throws Exception {
    String source = "veraPDF " + flavour.getId();
    try (PDFAParser parser = Foundries.defaultInstance().createParser(new ByteArrayInputStream(bytes), flavour);
        PDFAValidator validator = Foundries.defaultInstance().createValidator(flavour, false)) {
      ValidationResult result = validator.validate(parser);
      report.fired.put(source, result.getTotalAssertions());
      for (TestAssertion assertion : result.getTestAssertions())
        if (assertion.getStatus() == TestAssertion.Status.FAILED)
          report.add(source, "fatal", assertion.getRuleId().getClause() + "-" + assertion.getRuleId().getTestNumber(), assertion.getLocation().getContext(), assertion.getMessage());
      if (!result.isCompliant() && report.findings.stream().noneMatch((finding) -> finding.source().equals(source)))
        report.add(source, "fatal", "not-compliant", "", "not compliant, and no reason is given");
    }
  }

  // --- output

  static String json(Path file, Report report) {
    StringWriter out = new StringWriter();
    out.append("{\"file\":").append(quoted(file.toString())).append(",\"profile\":").append(quoted(report.profile)).append(",\"fired\":{");
    String between = "";
    for (Map.Entry<String, Integer> entry : report.fired.entrySet()) {
      out.append(between).append(quoted(entry.getKey())).append(":").append(String.valueOf(entry.getValue()));
      between = ",";
    }
    out.append("},\"findings\":[");
    between = "";
    for (Finding finding : report.findings) {
      out.append(between).append("{\"source\":").append(quoted(finding.source()));
      out.append(",\"severity\":").append(quoted(finding.severity())).append(",\"id\":").append(quoted(finding.id()));
      out.append(",\"location\":").append(quoted(finding.location())).append(",\"text\":").append(quoted(finding.text())).append("}");
      between = ",";
    }
    return out.append("]}").toString();
  }

  static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char sign : text.toCharArray()) {
      if (sign == '"' || sign == '\\') out.append('\\').append(sign);
      else if (sign < 0x20 || sign > 0x7e) out.append(String.format("\\u%04x", (int) sign));
      else out.append(sign);
    }
    return out.append('"').toString();
  }

  /** A part of a schema that lies in a jar. */
  record Part(URL url) implements LSInput {
    @Override public java.io.InputStream getByteStream() {
      try {
        return url.openStream();
      } catch (java.io.IOException unreadable) {
        throw new java.io.UncheckedIOException(unreadable);
      }
    }
    @Override public String getSystemId() { return url.toExternalForm(); }
    @Override public java.io.Reader getCharacterStream() { return null; }
    @Override public String getStringData() { return null; }
    @Override public String getPublicId() { return null; }
    @Override public String getBaseURI() { return null; }
    @Override public String getEncoding() { return null; }
    @Override public boolean getCertifiedText() { return false; }
    @Override public void setCharacterStream(java.io.Reader value) {}
    @Override public void setByteStream(java.io.InputStream value) {}
    @Override public void setStringData(String value) {}
    @Override public void setSystemId(String value) {}
    @Override public void setPublicId(String value) {}
    @Override public void setBaseURI(String value) {}
    @Override public void setEncoding(String value) {}
    @Override public void setCertifiedText(boolean value) {}
  }
}
