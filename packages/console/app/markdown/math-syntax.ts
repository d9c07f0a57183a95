import { asciiAlphanumeric, markdownLineEnding, markdownLineEndingOrSpace } from 'micromark-util-character'
import type { Code, Construct, Effects, Extension, State, TokenizeContext } from 'micromark-util-types'

declare module 'micromark-util-types' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- It is theirs, and extended here.
  interface TokenTypeMap {
    mathData: 'mathData'
    mathFlow: 'mathFlow'
    mathFlowRest: 'mathFlowRest'
    mathText: 'mathText'
  }
}

/** The signs of the syntax, as character codes. */
const DOLLAR = 36
const OPEN_PAREN = 40
const CLOSE_PAREN = 41
const OPEN_BRACKET = 91
const BACKSLASH = 92
const CLOSE_BRACKET = 93
const BACKTICK = 96
/** A formula in a text that is longer is none: a search for its end must not take long. */
const MAX_TEXT_CHARACTERS = 2000

/** Formulas as models write them: in `$…$`, `$$…$$`, `\(…\)` and `\[…\]`. */
export const mathSyntax: Extension = {
  flow: {
    [DOLLAR]: { name: 'mathFlow', concrete: true, tokenize: tokenizeMathFlow },
    [BACKSLASH]: { name: 'mathFlow', concrete: true, tokenize: tokenizeMathFlow },
  },
  text: {
    [DOLLAR]: {
      name: 'mathText',
      tokenize: tokenizeMathText,
      // In US$5 it is money.
      previous: (code) => code !== DOLLAR && !asciiAlphanumeric(code),
    },
    [BACKSLASH]: { name: 'mathText', tokenize: tokenizeMathText },
  },
}

const isLineEnd = (code: Code): boolean => code === null || markdownLineEnding(code)

/** The next line, if it belongs to the same quotation or item as this one. */
const sameContainer: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    const lineStart: State = (code) => (this.parser.lazy[this.now().line] ? nok(code) : ok(code))
    return (code) => {
      if (code === null) return nok(code)
      consumeLineEnd(effects, code)
      return lineStart
    }
  },
}

function consumeLineEnd(effects: Effects, code: Code): void {
  effects.enter('lineEnding')
  effects.consume(code)
  effects.exit('lineEnding')
}

/** The pieces of a formula between its line ends. None of them may be empty. */
function createData(effects: Effects) {
  let isOpen = false
  return {
    consume(code: Code): void {
      if (!isOpen) effects.enter('mathData')
      isOpen = true
      effects.consume(code)
    },
    end(): void {
      if (isOpen) effects.exit('mathData')
      isOpen = false
    },
  }
}

/**
 * A formula of several lines, up to its end or to that of the block. Its first line has only the sign, or goes on with
 * a command: anything else is a text with a dollar in it.
 */
function tokenizeMathFlow(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  let end: Code = DOLLAR
  let isFirstLine = true
  const data = createData(effects)
  const next = (then: State): State => {
    return (code) => {
      data.consume(code)
      return then
    }
  }
  const second: State = (code) => {
    return code === (end === DOLLAR ? DOLLAR : OPEN_BRACKET) ? next(afterOpening)(code) : nok(code)
  }
  const afterOpening: State = (code) => {
    if (isLineEnd(code) || code === BACKSLASH) return content(code)
    return markdownLineEndingOrSpace(code) ? next(afterOpening)(code) : nok(code)
  }
  const content: State = (code) => {
    if (isLineEnd(code)) {
      isFirstLine = false
      data.end()
      return effects.attempt(sameContainer, content, finish)(code)
    }
    if (code === BACKSLASH) return next(afterBackslash)(code)
    return next(code === DOLLAR && end === DOLLAR ? afterDollar : content)(code)
  }
  const afterBackslash: State = (code) => {
    if (isLineEnd(code)) return content(code)
    return next(code === CLOSE_BRACKET && end === CLOSE_BRACKET ? closed : content)(code)
  }
  const afterDollar: State = (code) => (code === DOLLAR ? next(closed)(code) : content(code))
  const closed: State = (code) => {
    // The whole formula is on one line, which may be part of a paragraph.
    if (isFirstLine) return nok(code)
    if (isLineEnd(code)) return finish(code)
    data.end()
    effects.exit('mathFlow')
    effects.enter('mathFlowRest')
    return rest(code)
  }
  const rest: State = (code) => {
    if (!isLineEnd(code)) {
      effects.consume(code)
      return rest
    }
    effects.exit('mathFlowRest')
    return ok(code)
  }
  const finish: State = (code) => {
    data.end()
    effects.exit('mathFlow')
    return ok(code)
  }
  return (code) => {
    effects.enter('mathFlow')
    end = code === DOLLAR ? DOLLAR : CLOSE_BRACKET
    return next(second)(code)
  }
}

/** A formula within a line. One dollar begins and ends it only next to its letters, as prices do not. */
function tokenizeMathText(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  let end: 'dollar' | 'dollars' | typeof CLOSE_PAREN | typeof CLOSE_BRACKET = 'dollar'
  let last: Code = DOLLAR
  let count = 0
  const data = createData(effects)
  const consume = (code: Code, then: State): State => {
    last = code
    data.consume(code)
    return then
  }
  const second: State = (code) => {
    if (end === 'dollar') return code === DOLLAR ? consume(code, third) : start(code)
    if (code === OPEN_PAREN) end = CLOSE_PAREN
    else if (code !== OPEN_BRACKET) return nok(code)
    return consume(code, content)
  }
  const third: State = (code) => {
    end = 'dollars'
    return code === DOLLAR ? nok(code) : content(code)
  }
  const start: State = (code) => (markdownLineEndingOrSpace(code) ? nok(code) : content(code))
  const content: State = (code) => {
    count += 1
    if (code === null || code === BACKTICK || count > MAX_TEXT_CHARACTERS) return nok(code)
    if (markdownLineEnding(code)) {
      last = code
      data.end()
      consumeLineEnd(effects, code)
      return content
    }
    if (code === BACKSLASH) return consume(code, afterBackslash)
    if (code !== DOLLAR || typeof end === 'number') return consume(code, content)
    if (end === 'dollars') return consume(code, afterDollar)
    return markdownLineEndingOrSpace(last) ? nok(code) : consume(code, afterEnd)
  }
  const afterBackslash: State = (code) => {
    if (isLineEnd(code)) return content(code)
    return consume(code, code === end ? finish : content)
  }
  const afterDollar: State = (code) => (code === DOLLAR ? consume(code, finish) : content(code))
  const afterEnd: State = (code) => (code === DOLLAR || asciiAlphanumeric(code) ? nok(code) : finish(code))
  const finish: State = (code) => {
    data.end()
    effects.exit('mathText')
    return ok(code)
  }
  return (code) => {
    effects.enter('mathText')
    if (code === BACKSLASH) end = CLOSE_BRACKET
    return consume(code, second)
  }
}
