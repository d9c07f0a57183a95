import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

type Site = {
  readonly pages: readonly string[]
  readonly srcDir: string
  readonly outDir: string
  /** Pages without a file. */
  readonly dynamicRoutes: { readonly routes: readonly { readonly path: string; readonly content?: string }[] }
}
type Page = { readonly path: string; readonly title: string; readonly summary: string; readonly text: string }

const SECTIONS: Readonly<Record<string, string>> = {
  guide: 'Guide',
  agents: 'Agents',
  reference: 'Reference',
  operate: 'Operate',
  decisions: 'Optional',
}
const INTRODUCTION = `# dragoman

> A self-hosted TypeScript server and framework for streaming agent chat. Each run of an agent is written once, to a
> durable log. Any client follows it in the protocol that it already speaks.
`

/**
 * Writes what a model reads of the site: `llms.txt` with a line for each page, `llms-full.txt` with the text of all,
 * and each page as Markdown at its address with `.md`. Chinese pages say the same and are left out.
 * https://llmstxt.org
 *
 * @example
 * defineConfig({ buildEnd: writePagesForModels })
 */
export async function writePagesForModels({ pages, srcDir, outDir, dynamicRoutes }: Site): Promise<void> {
  const paths = pages.filter((path) => sectionOf(path) !== undefined && !path.includes('['))
  const made = new Map(dynamicRoutes.routes.map(({ path, content }) => [path, content]))
  const textOf = async (path: string): Promise<string> =>
    made.get(path) ?? readFile(join(srcDir, path), 'utf8')
  const all = await Promise.all(paths.toSorted().map(async (path) => toPage(path, await textOf(path))))
  for (const { path, text } of all) {
    await mkdir(dirname(join(outDir, path)), { recursive: true })
    await writeFile(join(outDir, path), text)
  }
  const sections = Object.keys(SECTIONS).map((folder) => listSection(folder, all))
  await writeFile(join(outDir, 'llms.txt'), `${INTRODUCTION}${sections.join('')}`)
  const texts = all
    .filter(({ path }) => !path.startsWith('decisions/'))
    .map(({ path, text }) => `\n<!-- /${path} -->\n\n${text}`)
  await writeFile(join(outDir, 'llms-full.txt'), `${INTRODUCTION}${texts.join('')}`)
}

function listSection(folder: string, pages: readonly Page[]): string {
  const lines = pages
    .filter(({ path }) => sectionOf(path) === SECTIONS[folder])
    .map(({ path, title, summary }) => `- [${title}](/${path})${summary && `: ${summary}`}\n`)
  return `\n## ${SECTIONS[folder] ?? folder}\n\n${lines.join('')}`
}

function sectionOf(path: string): string | undefined {
  return SECTIONS[path.split('/')[0] ?? '']
}

function toPage(path: string, text: string): Page {
  const [, title = path, rest = ''] = /^# (.+)\n([^]*)/m.exec(text) ?? []
  const paragraph = rest.split('\n\n').find((each) => /^[\p{L}`[*]/u.test(each.trim())) ?? ''
  const [summary = ''] = /^.+?(?:\.(?=\s|$)|:$)/.exec(plainText(paragraph)) ?? []
  return { path, title: plainText(title), summary: summary.replace(/:$/, '.'), text }
}

/** Without the marks of links and code, in one line. */
function plainText(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
