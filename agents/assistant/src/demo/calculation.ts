import type { ToolRule } from './tool-rule.ts'

const verb =
  /^(?:please\s+)?(?:calculate|compute|work out|evaluate|convert|how much is|what(?:'s|’s| is))\s+|^(?:请|帮我)*(?:计算|算一下|算算|算|换算)(?:一下)?\s*[：:]?\s*/i
const ending = /\s*(?:=\s*)?[?？]*\s*(?:等于多少|等于几|是多少|是几|得多少|equals?)?\s*[?？。.!]*$/i
const figures = /^[\d\s.,()（）+\-−*/×÷^%％!√²³]+$/
const functions = /^[\d\s.,()（）+\-−*/×÷^%％!√²³a-z[\];=]+$/i

const words: readonly (readonly [RegExp, string])[] = [
  [/\s+plus\s+|\s*加上?\s*/gi, ' + '],
  [/\s+minus\s+|\s*减去?\s*/gi, ' - '],
  [/\s+(?:times|multiplied by)\s+|\s*乘以?\s*/gi, ' * '],
  [/\s+divided by\s+|\s*除以\s*/gi, ' / '],
  [/百分之\s*(\d+(?:\.\d+)?)/g, '$1%'],
  [/(\d+(?:\.\d+)?)\s*的\s*(\d+(?:\.\d+)?)\s*[%％]/g, '$2% * $1'],
  [/\s*percent\b/gi, '%'],
  [/的/g, ' * '],
]

/** Works out what can be written with figures. */
export const calculation: ToolRule = {
  call: 'calculate',
  readOnly: true,
  example: {
    en: 'Calculate: “what is 8% of 250?”, “convert 5 inch to cm”',
    zh: '计算：“0.1 + 0.2 等于多少？”',
  },
  read({ words: said, language }) {
    const isAsked = verb.test(said.trim())
    const rest = said.trim().replace(verb, '').replace(ending, '')
    const expression = words.reduce((text, [word, sign]) => text.replaceAll(word, sign), rest).trim()
    const isSum = figures.test(expression) && /\d\s*[-+*/×÷^%％!−]|√/.test(expression)
    if (
      !isSum &&
      !(
        isAsked &&
        /\d/.test(expression) &&
        functions.test(expression.replaceAll(/% of\b/g, '%')) &&
        /[-+*/^%(]|\b(?:to|in)\b/.test(expression)
      )
    )
      return undefined
    const thought = { en: 'That can be calculated.', zh: '这可以算出来。' }[language]
    return { input: { expression }, thought }
  },
  tell: ({ text }) => text,
}
