import { isJsonObject } from '../../events/index.ts'
import type { DemoScript } from './script.ts'

/** A small script with every kind of exchange. */
export const script: DemoScript = [
  {
    example: { en: 'What is the weather in Oslo?', zh: '奥斯陆的天气' },
    when: /weather in (\p{L}+)|(?:看看)?(\p{Script=Han}+)的天气/giu,
    call: 'weather',
    input: ([, city, chinese]) => ({ city: city ?? chinese ?? '' }),
    say: { en: 'It is {text} there.', zh: '那里的天气：{text}。' },
  },
  {
    when: { en: /^book (.+)/i, zh: /^预订(.+)/ },
    call: 'book',
    input: ([, what = '']) => ({ what }),
    say: (text) => text.toUpperCase(),
    next: [
      { after: /full/, call: 'weather', input: () => ({ city: 'Oslo' }), say: 'Outside it is {text}.' },
      { say: { en: 'Enjoy it.', zh: '祝愉快。' } },
    ],
  },
  { example: 'What is snow?', when: /\bsnow\b/i, say: 'Frozen water.' },
  {
    example: 'Press the button',
    when: /\bpress\b/i,
    call: ({ message, tools }) => tools.find(({ name }) => message.includes(name))?.name,
    input: (_match, { language, tools }) => ({
      language,
      hasSchema: tools.every(({ inputSchema }) => isJsonObject(inputSchema)),
    }),
  },
]
