import type { DemoScript } from './script.ts'

/** A small script in both forms. */
export const script: DemoScript = [
  {
    example: { en: 'Ask for the weather: “What is the weather in Oslo?”', zh: '问天气：“奥斯陆的天气”' },
    when: /weather in (\p{L}+)|(?:看看)?(\p{Script=Han}+)的天气/iu,
    call: 'weather',
    readOnly: true,
    input: ([, city, inChinese]) => ({ city: city ?? inChinese ?? '' }),
    say: { en: 'It is {text} there.', zh: '那里的天气：{text}。' },
  },
  { when: /\bbook\b/i, call: 'book', input: (_, { request }) => ({ what: request }) },
  { example: '“What is snow?”', when: /\bsnow\b/gi, say: 'Frozen water.' },
  {
    examples: (tools) => tools.map(({ name }) => ({ call: name, example: `Ask for ${name}.` })),
    reply: ({ request, outcomes, language }) => {
      if (!/\btwice\b/i.test(request)) return undefined
      const input = { city: outcomes.length === 0 ? 'Oslo' : 'Bergen' }
      if (outcomes.length < 2)
        return { calls: [{ tool: 'weather', input }], text: `Step ${outcomes.length + 1}. ` }
      return { text: `${language}: ${outcomes.map(({ quote }) => quote).join(', ')}`, introduction: false }
    },
  },
]
