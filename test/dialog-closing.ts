// Dialogs that close before what they were asked to do has succeeded: the person who confirmed believes that it is
// done.
import type * as ESTree from 'oxc-parser'
import { parseSync, Visitor } from 'oxc-parser'

type Node = ESTree.Node
type Body = readonly Node[]

/** Handlers of dialogs that begin the work. */
const CONFIRMING = new Set(['onConfirm', 'onResolve', 'onChoose', 'onDiscard'])
/** What runs although the work failed. */
const AFTER_FAILURE = new Set(['onError', 'onSettled'])
const CLOSING = /^(onClose|onCancel|onSettled|close|cancel)$/
const DIALOG = /(Dialog|Drawer)$/
/** Calls that store nothing. */
const HARMLESS = /^(set[A-Z]|toast$|forgetUnsavedChanges$|disarm$)/

const nameOf = (node: Node | null | undefined): string =>
  node?.type === 'Identifier' || node?.type === 'JSXIdentifier'
    ? node.name
    : node?.type === 'MemberExpression'
      ? nameOf(node.object as Node)
      : node?.type === 'CallExpression'
        ? nameOf(node.callee)
        : ''
const isFunction = (node: Node): node is ESTree.ArrowFunctionExpression | ESTree.Function =>
  node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression'

/** Visits what is below a node, functions in it only if wanted. */
function walk(node: Node, visit: (node: Node) => void, intoFunctions = true): void {
  visit(node)
  for (const value of Object.values(node) as unknown[])
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
      if (typeof child === 'object' && child !== null && 'type' in child)
        if (intoFunctions || !isFunction(child as Node)) walk(child as Node, visit, intoFunctions)
}
const has = (node: Node, test: (node: Node) => boolean, intoFunctions = false): boolean => {
  let found = false
  walk(node, (one) => (found ||= test(one)), intoFunctions)
  return found
}

/** States on which a dialog is open: `open={asked !== null}`, `{asked && <AskDialog …/>}`. */
function openingStates(program: Node): Set<string> {
  const names = new Set<string>()
  const take = (node: Node) =>
    walk(node, (one) => {
      if (one.type === 'Identifier') names.add(one.name)
    })
  walk(program, (node) => {
    if (node.type === 'JSXAttribute' && node.name.name === 'open' && node.value) take(node.value)
    if (node.type === 'LogicalExpression' && isDialog(node.right)) take(node.left)
    if (node.type === 'ConditionalExpression' && (isDialog(node.consequent) || isDialog(node.alternate)))
      take(node.test)
  })
  return names
}
const isDialog = (node: Node): boolean =>
  node.type === 'ParenthesizedExpression'
    ? isDialog(node.expression)
    : node.type === 'JSXElement' && DIALOG.test(nameOf(node.openingElement.name as Node))

/** Where a dialog closes although its work has failed, or has only begun. */
export function earlyClosings(path: string, text: string): string[] {
  const { program } = parseSync(path, text)
  const states = openingStates(program)
  const closes = (node: Node): boolean => {
    if (node.type !== 'CallExpression') return false
    const [first] = node.arguments
    const name = node.callee.type === 'Identifier' ? node.callee.name : ''
    if (CLOSING.test(name)) return true
    const state = /^set([A-Z]\w*)$/.exec(name)?.[1]
    const empties =
      first?.type === 'Literal'
        ? first.value === null || first.value === false
        : nameOf(first) === 'undefined'
    return state !== undefined && empties && setterOf(program, name).some((held) => states.has(held))
  }
  const isCloser = (node: Node): boolean =>
    closes(node) ||
    (node.type === 'Identifier' &&
      CLOSING.test(node.name) &&
      node.name !== 'cancel' &&
      !declared.has(node.name))
  /** What is declared here; `onSettled` from a caller closes what the caller shows. */
  const declared = new Set<string>()
  const functions = new Map<string, Node>()
  walk(program, (node) => {
    if (node.type === 'VariableDeclarator') declared.add(nameOf(node.id))
    if (node.type === 'VariableDeclarator' && node.init && isFunction(node.init))
      functions.set(nameOf(node.id), node.init)
    if (node.type === 'FunctionDeclaration') functions.set(nameOf(node.id), node)
  })
  const found = new Set<string>()
  const report = (node: Node, why: string) => {
    const line = text.slice(0, node.start).split('\n').length
    found.add(`${path}:${line}: ${why}`)
  }
  const first = (node: Node, why: string, intoFunctions = true) =>
    walk(
      node,
      (one) => {
        if (closes(one)) report(one, why)
      },
      intoFunctions,
    )
  const inBlock = (body: Body) =>
    body.forEach((statement, i) => {
      if (statement.type !== 'ExpressionStatement' || !has(statement, closes)) return
      if (body.slice(i + 1).some((later) => has(later, isWork))) report(statement, 'closes before the work')
    })
  const inHandler = (handler: Node) => {
    if (!isFunction(handler) || handler.body?.type !== 'BlockStatement') return
    const statements = handler.body.body as Body
    const closing = statements.find((one) => one.type === 'ExpressionStatement' && has(one, closes))
    const done = statements.slice(0, closing && statements.indexOf(closing)).some((one) => has(one, isAwait))
    if (closing && !done && statements.some((one) => one !== closing && has(one, doesSomething)))
      report(closing, 'closes while the work goes on')
  }
  const doesSomething = (node: Node): boolean =>
    node.type === 'CallExpression' && !closes(node) && !HARMLESS.test(nameOf(node.callee))
  new Visitor({
    BlockStatement: ({ body }) => inBlock(body as Body),
    CatchClause: ({ body }) => first(body, 'closes although it failed'),
    TryStatement: (tried) => tried.finalizer && first(tried.finalizer, 'closes although it failed'),
    Property: ({ key, value }) => {
      if (!AFTER_FAILURE.has(nameOf(key as Node))) return
      const named = functions.get(nameOf(value as Node))
      if (value.type === 'Identifier' && named) first(named, 'closes although it failed')
      if (isCloser(value as Node)) report(value as Node, 'closes although it failed')
      first(value as Node, 'closes although it failed')
    },
    JSXAttribute: ({ name, value }) => {
      if (CONFIRMING.has(String(name.name)) && value?.type === 'JSXExpressionContainer')
        inHandler(value.expression)
    },
    CallExpression: (call) => {
      const given = call.arguments
      if (call.callee.type !== 'MemberExpression') return
      const method = nameOf(call.callee.property as Node)
      const rejected =
        method === 'then' ? given[1] : method === 'catch' || method === 'finally' ? given[0] : null
      if (rejected) first(rejected as Node, 'closes although it failed')
    },
  }).visit(program)
  return [...found]
}

const isAwait = (node: Node): boolean => node.type === 'AwaitExpression'
const isWork = (node: Node): boolean =>
  isAwait(node) ||
  (node.type === 'UnaryExpression' && node.operator === 'void') ||
  (node.type === 'CallExpression' &&
    (/^attempt$/.test(nameOf(node.callee)) ||
      (node.callee.type === 'MemberExpression' &&
        /^(mutate|mutateAsync|then)$/.test(nameOf(node.callee.property as Node)))))

/** The states that a setter sets: `const [asked, setAsking] = useState(…)`. */
function setterOf(program: Node, setter: string): string[] {
  const states: string[] = []
  walk(program, (node) => {
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'ArrayPattern') return
    const [state, set] = node.id.elements
    if (nameOf(set as Node) === setter) states.push(nameOf(state as Node))
  })
  return states
}
