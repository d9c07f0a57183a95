/** Verb forms that say what happened to a thing and not what it is. */
const PARTICIPLES = new Set(
  (
    'adopted asked begun briefed brought claimed counted driven employed gathered given gone heard ' +
    'heeded joined kept known lacking leaving led left placed projected remembered retold said seen sent ' +
    'settled shown spent spoken taken told wanted written'
  ).split(' '),
)

/** Words for a person, and old words that engineers do not use. */
const DIALECT = new Set(
  'nobody somebody anybody whoever whom comer newcomer newcomers anew beside aside'.split(' '),
)

/** Size limits have one spelling. */
const LIMIT_PREFIX = /^(?:MOST|LONGEST|LEAST|SHORTEST|FEWEST|BIGGEST|LARGEST)_/

/**
 * Reports names of declarations and files that a reader cannot guess: a participle as a whole name (`told`), a word
 * for a person in place of the thing (`nobody`), and a limit that is not called `MAX_…` or `MIN_…`.
 */
export const plainNames = {
  create(context) {
    const check = (id) => {
      if (id?.type !== 'Identifier') return
      const problem = problemOf(id.name)
      if (problem) context.report({ node: id, message: `\`${id.name}\` ${problem}` })
    }
    return {
      Program(node) {
        const base = context.filename.split(/[\\/]/).at(-1).split('.')[0]
        const problem = problemOf(base)
        if (problem) context.report({ node, message: `The file name \`${base}\` ${problem}` })
      },
      VariableDeclarator: (node) => check(node.id),
      FunctionDeclaration: (node) => check(node.id),
      TSTypeAliasDeclaration: (node) => check(node.id),
      TSInterfaceDeclaration: (node) => check(node.id),
      ':function': (node) => node.params.forEach(check),
    }
  },
}

function problemOf(name) {
  if (LIMIT_PREFIX.test(name)) return 'is a limit. Call it MAX_… or MIN_…, with its unit.'
  if (PARTICIPLES.has(name.toLowerCase()))
    return 'is a participle. Name the thing with a noun, or the action with a verb.'
  if (wordsOf(name).some((word) => DIALECT.has(word)))
    return 'is not a term that engineers use. Name the thing.'
  return undefined
}

function wordsOf(name) {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
}
