import * as fc from 'fast-check'
import { getDocumentProxy, getMeta } from 'unpdf'
import { describe, expect, it } from 'vitest'

import type { DrawOptions } from './drawing.ts'
import { bare, read, sample, textOf, wordsOf } from './documents.fixture.ts'
import { drawPdf } from './draw-pdf.ts'
import { templates } from './templates.ts'
import { isFull } from '../../../../test/support/is-full.ts'

const look: DrawOptions = { template: 'modern', paper: 'a4', language: 'en' }

/** The names of the fonts that are embedded, without what marks them as parts. */
function fontsOf(bytes: Uint8Array): string[] {
  const names = Buffer.from(bytes)
    .toString('latin1')
    .matchAll(/\/FontName \/[A-Z]{6}\+([\w-]+)/g)
  return Array.from(names, ([, name = '']) => name)
}

describe.each(templates)('a PDF in the template %s', (template) => {
  it.each([
    ['english', 'en'],
    ['chinese', 'zh'],
  ] as const)('can be read again: %s', async (name, language) => {
    const resume = read(sample(name))

    const { bytes, replaced } = await drawPdf(resume, { ...look, template, language })

    expect(bare((await textOf(bytes)).join('\n'))).toBe(wordsOf(resume))
    expect(replaced).toEqual([])
    expect(bytes.length).toBeLessThan(300_000)
  })
})

describe.each(isFull ? templates : templates.slice(0, 1))('names in the template %s', (template) => {
  it.each([
    ['a Polish and a Czech one', 'Łukasz Čapek', ['western']],
    ['a Hungarian town and an Icelandic name', 'Győr – Þórður', ['western']],
    ['a Romanian and a Turkish one', 'Ștefan Țurcanu, Doğan Işık', ['western']],
    ['a Greek one', 'Ελένη, ᾠδή', ['western']],
    ['a Cyrillic one', 'Дмитрий, Їжак Ґудзь', ['western']],
    ['a Vietnamese one', 'Nguyễn Thị Ngọc Ánh', ['western']],
    ['a Yoruba one, of letters with two marks', 'Ọlábísí Ọ̀ṣọ́, Adé', ['western']],
    ['a Chinese one', '喆堃', ['chinese']],
    ['quotation marks', 'the “Čapek” of 中文“引号”', ['western', 'chinese']],
    ['all on one line', 'Łukasz Čapek, Győr – Þórður, Ελένη, Дмитрий, Nguyễn, 喆堃', ['western', 'chinese']],
  ] as const)('keep their letters: %s', async (_, name, scripts) => {
    const markdown = `# Who\n\n### ${name}\n\n${name}\n\n**${name}**\n\n*${name}*\n\n***${name}***`

    const { bytes, replaced } = await drawPdf(read(markdown), { ...look, template })

    expect((await textOf(bytes)).join('\n').split('\n')).toEqual([
      'Who',
      ...Array.from({ length: 5 }, () => name),
    ])
    expect(replaced).toEqual([])
    expect(bytes.length).toBeLessThan(300_000)
    const fonts = fontsOf(bytes)
    expect(fonts.some((font) => /^NotoSans-\w*Italic$/.test(font))).toBe(scripts[0] === 'western')
    expect(fonts.some((font) => font.startsWith('NotoSansHans-'))).toBe(scripts.at(-1) === 'chinese')
  })
})

describe('a PDF', () => {
  it('is the same again, and says whose it is', async () => {
    const resume = read(sample('english'))

    const first = await drawPdf(resume, { ...look, title: '简历 2026' })
    const second = await drawPdf(resume, { ...look, title: '简历 2026' })

    expect(Buffer.compare(first.bytes, second.bytes)).toBe(0)
    expect((await getMeta(first.bytes)).info).toMatchObject({
      Title: '简历 2026',
      Author: 'Margaret Okonkwo-Lindqvist',
      Language: 'en',
    })
  })

  it.each([
    ['a4', [595, 842]],
    ['letter', [612, 792]],
  ] as const)('has pages of the paper %s', async (paper, size) => {
    const { bytes } = await drawPdf(read('# Ada'), { ...look, paper })
    const page = await (await getDocumentProxy(bytes)).getPage(1)

    expect(page.view.slice(2).map(Math.round)).toEqual(size)
  })

  it('has its pages numbered, but for the first', async () => {
    const { bytes } = await drawPdf(read(`# Ada\n\n${'A paragraph of words.\n\n'.repeat(60)}`), look)

    const pages = await textOf(bytes, true)

    expect(pages.map((page) => /\d \/ \d$/.exec(page)?.[0])).toEqual([undefined, '2 / 2'])
  })

  it('leads where its links lead', async () => {
    const { bytes } = await drawPdf(
      read(
        '[Mine](https://ada.example/x), ada@ada.example, [not](javascript:alert(1)) and <https://b.example>',
      ),
      look,
    )
    const page = await (await getDocumentProxy(bytes)).getPage(1)

    const links = (await page.getAnnotations()) as { url?: string }[]

    expect(links.map(({ url }) => url)).toEqual([
      'https://ada.example/x',
      'mailto:ada@ada.example',
      'https://b.example/',
    ])
  })

  it('replaces what no font has, and tells', async () => {
    const { bytes, replaced } = await drawPdf(read('🚀 Wałęsa 喆堃镕 한 👩‍💻 naïve 𝐀𝗱𝗮 हिन्दी'), look)

    expect(await textOf(bytes)).toEqual(['□ Wałęsa 喆堃镕 □ □□ naïve Ada □□'])
    expect(replaced).toEqual(['🚀', '한', '👩', '💻', '𝐀', '𝗱', '𝗮', 'हि', 'न्दी'])
  })

  it.each(['', '*', '**', '***'])('tells each letter of Europe as itself, marked %j', async (mark) => {
    const letters = [
      [0x41, 0x2af],
      [0x370, 0x52f],
      [0x1e00, 0x1fff],
    ]
      .flatMap(([from = 0, to = 0]) =>
        Array.from({ length: to - from }, (_, at) => String.fromCodePoint(from + at)),
      )
      .filter((sign) => /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]/u.test(sign))
      .map((sign) => sign.normalize('NFC'))
    // Those without marks come last: none of them is taken for one that was made of it.
    const words = [...letters, ...letters.filter((sign) => sign <= 'z')].join('').match(/.{1,20}/gu) ?? []

    const { bytes, replaced } = await drawPdf(
      read(words.map((word) => mark + word + mark).join('\n\n')),
      look,
    )

    expect(letters.length).toBeGreaterThan(1300)
    expect((await textOf(bytes)).join('\n').split('\n')).toEqual(words)
    expect(replaced).toEqual([])
  })

  it('is there for a resume with nothing in it', async () => {
    expect(await textOf((await drawPdf(read(''), look)).bytes)).toEqual([''])
  })

  it('holds all words of whatever is written, in their order', async () => {
    const word = fc.oneof(
      fc.stringMatching(/^[A-Za-z]{1,12}$/),
      fc.constantFrom(
        'C++',
        '数据',
        '平台工程师，',
        '（杭州）',
        '“引号”',
        'naïve',
        'https://a.example/b?c=d&e=f',
        '99.5%',
        'é',
        'Łódź',
        'Дмитрий',
        'Ελένη',
        '→①',
        '*Čapek喆*',
      ),
      fc.stringMatching(/^[a-z]{90,140}$/),
    )
    const text = fc.array(word, { minLength: 1, maxLength: 25 }).map((words) => words.join(' '))
    const block = fc.oneof(
      text,
      text.map((words) => `## ${words}`),
      text.map((words) => `### ${words}`),
      text.map((words) => `- ${words}`),
      text.map((words) => `  - ${words}`),
      text.map((words) => `**${words}**`),
      fc.tuple(text, text).map(([one, other]) => `| ${one} | ${other} |\n| --- | --- |`),
      fc.constant('---'),
    )
    const law = fc.asyncProperty(
      fc.array(block, { maxLength: 12 }),
      fc.constantFrom(...templates),
      async (blocks, template) => {
        const resume = read(blocks.join('\n\n'))
        const { bytes } = await drawPdf(resume, { ...look, template })
        expect(bare((await textOf(bytes)).join('\n'))).toBe(wordsOf(resume))
      },
    )

    await fc.assert(law, { numRuns: isFull ? 15 : 3 })
  }, 60_000)
})
