import { asciiAlphanumeric, markdownLineEnding, markdownLineEndingOrSpace } from 'micromark-util-character'
import type { Construct, Effects, Extension, State, TokenizeContext } from 'micromark-util-types'

declare module 'micromark-util-types' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- It is theirs, and extended here.
  interface TokenTypeMap {
    tagLine: 'tagLine'
    tagStart: 'tagStart'
  }
}

/** The signs of the syntax, as character codes. */
const SLASH = 47
const LESS = 60
const GREATER = 62

/** A line that begins with a tag of `details` is a block of its own, so that what is between two tags is Markdown. */
export const tagSyntax: Extension = { flow: { [LESS]: { name: 'tagLine', tokenize: tokenizeTagLine } } }

/** A tag of `details` or of its `summary`, at the start of a line. */
const detailsTag: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    let name = ''
    const afterLess: State = (code) => {
      if (code !== SLASH) return inName(code)
      effects.consume(code)
      return inName
    }
    const inName: State = (code) => {
      if (code !== null && asciiAlphanumeric(code) && name.length < 'summary'.length) {
        name += String.fromCodePoint(code)
        effects.consume(code)
        return inName
      }
      const isTag =
        /^(?:details|summary)$/i.test(name) && (code === GREATER || markdownLineEndingOrSpace(code))
      effects.exit('tagStart')
      return isTag ? ok(code) : nok(code)
    }
    return (code) => {
      effects.enter('tagStart')
      effects.consume(code)
      return afterLess
    }
  },
}

function tokenizeTagLine(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  const begin: State = (code) => {
    effects.enter('tagLine')
    effects.enter('chunkText', { contentType: 'text' })
    return inLine(code)
  }
  const inLine: State = (code) => {
    if (code !== null && !markdownLineEnding(code)) {
      effects.consume(code)
      return inLine
    }
    effects.exit('chunkText')
    effects.exit('tagLine')
    return ok(code)
  }
  return effects.check(detailsTag, begin, nok)
}
