// Finds the names that our code declares and the words in them; haus.test.ts looks up every word.
import type * as ESTree from 'oxc-parser'
import { parseSync, Visitor } from 'oxc-parser'

export interface Declared {
  readonly name: string
  readonly line: number
  /**
   * property: of a type or class, seen by others. taken: out of an object by its property's name, as in
   * `const { name } = row`. free: chosen here, as are functions, types, variables, parameters and what a class
   * keeps to itself.
   */
  readonly kind: 'property' | 'taken' | 'free'
}

type Pattern =
  | ESTree.BindingPattern
  | ESTree.BindingRestElement
  | ESTree.FormalParameterRest
  | ESTree.TSParameterProperty
  | ESTree.ParamPattern

/**
 * Functions, types, variables, parameters, and the properties of types. Keys of object literals are left out:
 * they repeat a type's or are data.
 */
export function declaredIn(file: string, text: string): Declared[] {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const found: Declared[] = []
  const add = (name: string, at: number, kind: Declared['kind'] = 'free') =>
    void found.push({ name, line: text.slice(0, at).split('\n').length, kind })
  const addPattern = (pattern: Pattern | null, isTaken = false): void => {
    if (pattern === null) return
    switch (pattern.type) {
      case 'Identifier':
        return add(pattern.name, pattern.start, isTaken ? 'taken' : 'free')
      case 'ArrayPattern':
        return pattern.elements.forEach((element) => addPattern(element))
      case 'ObjectPattern':
        return pattern.properties.forEach((property) =>
          property.type === 'RestElement'
            ? addPattern(property)
            : addPattern(property.value, property.shorthand),
        )
      case 'AssignmentPattern':
        return addPattern(pattern.left, isTaken)
      case 'RestElement':
        return addPattern(pattern.argument)
      case 'TSParameterProperty':
        return addPattern(pattern.parameter)
    }
  }
  const addFunction = ({
    id,
    params,
  }: {
    id: ESTree.BindingIdentifier | null
    params: readonly Pattern[]
  }): void => {
    addPattern(id)
    params.forEach((param) => addPattern(param))
  }
  const addId = ({ id }: { id: ESTree.BindingIdentifier | null }): void => addPattern(id)
  const addKey = ({ key }: { key: ESTree.PropertyKey }): void => {
    if (key.type === 'Identifier') add(key.name, key.start, 'property')
  }
  const addMember = ({ key }: { key: ESTree.PropertyKey }): void => {
    if (key.type === 'PrivateIdentifier') add(key.name, key.start)
    else addKey({ key })
  }
  new Visitor({
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    ArrowFunctionExpression: ({ params }) => params.forEach((param) => addPattern(param)),
    VariableDeclarator: ({ id }) => addPattern(id),
    CatchClause: ({ param }) => addPattern(param),
    ClassDeclaration: addId,
    TSInterfaceDeclaration: addId,
    TSTypeAliasDeclaration: addId,
    TSPropertySignature: addKey,
    TSMethodSignature: addKey,
    MethodDefinition: addMember,
    PropertyDefinition: addMember,
  }).visit(program)
  return found
}

/** Without `out`: that names a column of the answer. */
const PARAMETER = /(?:^|,)\s*(?:(?:in|inout|variadic)\s+)?(?!out\s)([a-z_][a-z0-9_]*)\s/g
const DECLARATION = /^\s*(?:declare\s+)?([a-z_][a-z0-9_]*)\s+(?:constant\s+)?[a-z_]/

/** Functions of an SQL file with their parameters and the variables that their bodies declare. */
export function declaredInSql(text: string): {
  readonly name: string
  readonly parameters: readonly string[]
  readonly variables: readonly string[]
}[] {
  const code = text.replaceAll(/--[^\n]*/g, '').replaceAll(/\(\d+(?:, *\d+)?\)/g, '')
  return code
    .split(/create (?:or replace )?function\s+(?=[a-z_]+\.)/i)
    .slice(1)
    .map((one) => {
      const [, name = '', list = ''] = /^([a-z_.0-9]+)\s*\(([^)]*)\)/i.exec(one) ?? []
      const [, block = ''] = /^declare\b([\s\S]*?)^begin\b/im.exec(one) ?? []
      return {
        name,
        parameters: [...list.matchAll(PARAMETER)].flatMap(([, parameter]) => parameter ?? []),
        variables: block.split(';').flatMap((line) => DECLARATION.exec(line)?.[1] ?? []),
      }
    })
}

/** `sumOfNETTO_2` → sum, of, netto. Digits and single letters are not words. */
export const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-zäöüß\d])([A-ZÄÖÜ])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-zäöüß]+/)
    .filter((word) => word.length > 1)
