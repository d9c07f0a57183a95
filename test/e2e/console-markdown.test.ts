import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { consoleBrowser, openConsole, sendMessage } from './console.ts'

const FENCE = '```'
const END = 'The end.'
/** One red point. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='

describe('Markdown in the console', () => {
  const browser = consoleBrowser()
  const openWith = (...answers: readonly string[]) =>
    openConsole({ models: scriptedModel(answers.map((answer) => step(says(`${answer}\n\n${END}`)))).models })
  const answerOf = (page: Page) => page.locator('.message > .markdown').last()
  const textOf = (page: Page): Promise<string> => answerOf(page).innerText()

  it('is one document: links and footnotes find their definitions in any block', async () => {
    const answer = [
      'See [docs][1], [docs] and a note[^a], again[^a].',
      '- and [in a list][1], with another[^b]',
      '[1]: https://one.example/ "One"\n[docs]: https://docs.example/\n[unused]: https://unused.example/',
      '[^b]: Of **b**.\n[^a]: Of a, see [docs].\n[^c]: Of nothing.',
    ].join('\n\n')
    await using server = await openWith(answer, answer)
    await using chat = await browser.open(server.url)
    const { page } = chat
    await sendMessage(page, 'Write')
    await page.getByText(END).waitFor()

    const links = await answerOf(page)
      .locator('a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(links.filter((href) => href?.startsWith('https'))).toEqual([
      'https://one.example/',
      'https://docs.example/',
      'https://one.example/',
      'https://unused.example/',
      'https://docs.example/',
    ])
    expect(await answerOf(page).locator('sup').allInnerTexts()).toEqual(['1', '1', '2'])
    expect(await answerOf(page).locator('.footnotes li').allInnerTexts()).toEqual([
      expect.stringContaining('Of a, see docs.'),
      expect.stringContaining('Of b.'),
      expect.stringContaining('Of nothing.'),
    ])
    expect(await answerOf(page).locator('a[href^="#"][target]').count()).toBe(0)

    await answerOf(page).locator('sup a').last().click()
    await page.locator('.footnotes li:nth-child(2):focus').waitFor()
    await page.locator('.footnotes li:nth-child(2)').getByRole('link', { name: 'Back to the text' }).click()
    await page.locator('sup:focus').waitFor()

    await sendMessage(page, 'Again')
    await expect.poll(() => page.getByText(END).count()).toBe(2)
    const ids = await page.locator('.markdown [id]').evaluateAll((all) => all.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('shows the elements of HTML that models write, and others as text', async () => {
    const answer = [
      'a<br>b H<sub>2</sub>O x<SUP>2</sup> <kbd>Ctrl</kbd> <b>bold *and* <i>slanted</i></b>',
      '| a |\n|---|\n| one<br/>two |',
      '<details open>\n<summary>More **of** it</summary>\n\n- item\n- other\n</details>',
      '> <details><summary>Inner</summary>\n> text\n> </details>',
      'List<String> and <script>alert(1)</script> <img src=x onerror=alert(1)> <sub>open, </kbd>',
    ].join('\n\n')
    await using server = await openWith(answer)
    await using chat = await browser.open(server.url)
    const { page } = chat
    await sendMessage(page, 'Write')
    await page.getByText(END).waitFor()
    const count = (selector: string): Promise<number> => answerOf(page).locator(selector).count()

    expect(await count('p > br')).toBe(1)
    expect(await count('td > br')).toBe(1)
    expect(await answerOf(page).locator('sub').allInnerTexts()).toEqual(['2'])
    expect(await answerOf(page).locator('kbd, sup, b em, b i').allInnerTexts()).toEqual([
      '2',
      'Ctrl',
      'and',
      'slanted',
    ])
    expect(await count('details > summary > strong')).toBe(1)
    expect(await count('details > ul > li')).toBe(2)
    expect(await count('blockquote > details > summary')).toBe(1)
    expect(await count('script, img')).toBe(0)
    expect(await textOf(page)).toContain(
      'List<String> and <script>alert(1)</script> <img src=x onerror=alert(1)> <sub>open, </kbd>',
    )
    await page.getByText('item', { exact: true }).waitFor()
    await page.getByText('More of it').click()
    await page.getByText('item', { exact: true }).waitFor({ state: 'hidden' })
  })

  it('draws formulas, and leaves prices and code as they are', async () => {
    const answer = [
      'So $a^2$, \\(b\\), 若$c$为正, \\[d\\] and $$e$$.',
      'It costs $5 and $10, $20/month to US$30, **$5** or **$6**, \\$7.',
      '`$x$` and `code \\(y\\)` and `\\[z\\]`, with ```` ``` ```` in it.',
      '$$\nf\n\n+ g\n$$',
      '$$\\begin{aligned}\nh &= 1 \\\\[4pt]\n- i &= 2\n\\end{aligned}$$',
      '\\[\nj\n\nk\n\\]',
      '| a | b |\n|---|---|\n| $l$ | 2 |',
      `${FENCE}tex\n$m$ \\(n\\)\n${FENCE}`,
      '$\\frac{$ and $\\notacommand{x$',
    ].join('\n\n')
    await using server = await openWith(answer)
    await using chat = await browser.open(server.url)
    const { page } = chat
    await sendMessage(page, 'Write')
    await page.getByText(END).waitFor()
    await page.locator('.katex').nth(8).waitFor()

    const formulas = await answerOf(page)
      .locator('.katex annotation')
      .evaluateAll((all) => all.map(({ textContent }) => textContent.replaceAll(/\s+/g, ' ')))
    expect(formulas).toEqual([
      'a^2',
      'b',
      'c',
      'd',
      'e',
      'f + g',
      '\\begin{aligned} h &= 1 \\\\[4pt] - i &= 2 \\end{aligned}',
      'j k',
      'l',
    ])
    expect(await textOf(page)).toContain('It costs $5 and $10, $20/month to US$30, $5 or $6, $7.')
    expect(await answerOf(page).locator('p > code').allInnerTexts()).toEqual(
      expect.arrayContaining(['$x$', 'code \\(y\\)', '\\[z\\]', '```']),
    )
    expect(await textOf(page)).toContain('$m$ \\(n\\)')
    expect(await textOf(page)).toContain('$\\frac{$ and $\\notacommand{x$')
    expect(await answerOf(page).locator('table td').count()).toBe(2)
  })

  it('shows a formula that defines macros as its source', async () => {
    const grow = '$$\\def\\a#1{#1#1#1#1}\\a{\\a{\\a{\\a{\\a{x}}}}}$$'
    const other = ['$\\newcommand{\\b}[1]{#1#1}\\b{x}$', '$\\let\\c=\\frac \\c12$', '$\\gdef\\d{x}\\d$']
    const answer = [...Array.from({ length: 100 }, () => grow), ...other, '$\\delta + \\leftarrow$'].join(
      '\n\n',
    )
    await using server = await openWith(answer)
    await using chat = await browser.open(server.url)
    const { page } = chat
    await sendMessage(page, 'Write')
    await page.getByText(END).waitFor()
    await page.locator('.katex').waitFor()

    expect(await answerOf(page).locator('.katex').count()).toBe(1)
    expect(await answerOf(page).locator('.formula code').count()).toBe(103)
  })

  it('draws many formulas', async () => {
    const answer = Array.from({ length: 300 }, (_, at) => `$x_{${at}} + ${'y + '.repeat(50)} z$`).join('\n\n')
    await using server = await openWith(answer)
    await using chat = await browser.open(server.url)
    await sendMessage(chat.page, 'Write')
    await chat.page.getByText(END).waitFor()

    await expect.poll(() => answerOf(chat.page).locator('.katex').count(), { timeout: 20_000 }).toBe(300)
  })

  it('shows pictures that the text brings, and loads none of another server', async () => {
    const answer = [
      `![point](data:image/png;base64,${PNG})`,
      `![by name][p]\n\n[p]: data:image/png;base64,${PNG}`,
      '![vector](data:image/svg+xml;base64,PHN2Zy8+)',
      '![far](https://far.example/x.png)',
      '[run](javascript:alert(1)) [page](data:text/html,x) <javascript:alert(2)> [Java](JaVa\tscript:alert(3))',
    ].join('\n\n')
    await using server = await openWith(answer)
    await using chat = await browser.open(server.url)
    const { page } = chat
    const others: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url) && !request.url().startsWith('data:'))
        others.push(request.url())
    })
    await sendMessage(page, 'Write')
    await page.getByText(END).waitFor()

    expect(
      await answerOf(page)
        .locator('img')
        .evaluateAll((all) => all.map((each) => (each as unknown as { naturalWidth: number }).naturalWidth)),
    ).toEqual([1, 1])
    expect(
      await answerOf(page)
        .locator('a')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href'))),
    ).toEqual(['https://far.example/x.png'])
    expect(await textOf(page)).toContain('run (javascript:alert(1))')
    expect(others).toEqual([])
  })

  it.each([
    ['deep', '<details>\n\n'.repeat(3000)],
    ['deep, and ended', `${'<details>\n\n'.repeat(1500)}Deep.\n\n${'</details>\n\n'.repeat(1500)}`],
    ['long', ']:'.repeat(50_000)],
  ])('shows what is around a block that is too %s as usual', async (_what, block) => {
    await using server = await openWith(`*Before.*\n\n${block}\n\n*After.*`)
    await using chat = await browser.open(server.url)
    const { page } = chat
    await sendMessage(page, 'Write')
    await page.getByText(END).waitFor({ timeout: 20_000 })

    expect(await answerOf(page).locator('em').allInnerTexts()).toEqual(['Before.', 'After.'])
  })
})
