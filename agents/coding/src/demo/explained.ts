import type { DemoLanguage, DemoOutcome } from 'dragoman/agents'
import { isJsonObject } from 'dragoman/events'
import { fenced } from './fenced.ts'
import { outlineOf } from './outline.ts'

/** As many names of a kind are told. */
const MOST_NAMES = 12
/** What the tool adds where it has not given the whole file. */
const TOOLS_NOTE = /\n\n\[([^\]\n]*)\]$/

/** What can be said of a file without understanding it. */
export function explained(path: string, told: string, language: DemoLanguage): string {
  const note = TOOLS_NOTE.exec(told)?.[1]
  const text = note === undefined ? told : told.replace(TOOLS_NOTE, '')
  const { lines, imports, names, headings } = outlineOf(text)
  const zh = language === 'zh'
  const facts = [
    zh ? `行数：${lines}${note ? `（${note}）` : ''}` : `Lines: ${lines}${note ? ` (${note})` : ''}`,
    ...listed(zh ? '引用' : 'Imports', imports, language),
    ...listed(zh ? '定义' : 'Defines', names, language),
    ...listed(zh ? '标题' : 'Headings', headings, language),
  ]
  const lead = zh ? `我只能按规则描述 ${path}：` : `By rules alone, this much can be said of ${path}:`
  const limit = zh ? '它的含义要由真正的模型来解释。' : 'What it means, a real model would have to say.'
  return `${lead}\n\n${facts.map((fact) => `- ${fact}`).join('\n')}\n\n${limit}`
}

function listed(what: string, names: readonly string[], language: DemoLanguage): string[] {
  if (names.length === 0) return []
  const shown = names.slice(0, MOST_NAMES).join(', ')
  const more = names.length - MOST_NAMES
  const rest = { en: `, and ${more} more`, zh: `，另有 ${more} 个` }[language]
  return [`${what}${language === 'zh' ? '：' : ': '}${shown}${more > 0 ? rest : ''}`]
}

/** What the listing and the files that tell of a project say of it. */
export function projectTold(outcomes: readonly DemoOutcome[], language: DemoLanguage): string {
  const zh = language === 'zh'
  return outcomes
    .map(({ tool, ok, text, input }) => {
      const path = isJsonObject(input) && typeof input['path'] === 'string' ? input['path'] : '.'
      if (!ok) return zh ? `没能读取 ${path}：${text}` : `I could not read ${path}: ${text}`
      if (tool === 'list_directory')
        return `${zh ? '这个项目的目录里有：' : 'This is in the project:'}\n\n${fenced(text)}`
      const lead = zh ? `${path} 里写着：` : `${path} says:`
      return path === 'package.json' ? packageTold(text, language) : `${lead}\n\n${fenced(opening(text))}`
    })
    .join('\n\n')
}

/** The beginning of a page: its title and first paragraphs. */
function opening(text: string): string {
  const paragraphs = text.split(/\n\s*\n/)
  const first = paragraphs.slice(0, 4).join('\n\n')
  return paragraphs.length > 4 ? `${first}\n\n…` : first
}

function packageTold(text: string, language: DemoLanguage): string {
  const zh = language === 'zh'
  const lead = zh ? 'package.json 里写着：' : 'package.json says:'
  const read = parsed(text)
  if (!isJsonObject(read)) return `${lead}\n\n${fenced(opening(text))}`
  const keys = (field: string): string[] => (isJsonObject(read[field]) ? Object.keys(read[field]) : [])
  const line = (what: string, said: unknown): string[] =>
    typeof said === 'string' && said !== '' ? [`- ${what}${zh ? '：' : ': '}${said}`] : []
  const lines = [
    ...line(zh ? '名称' : 'Name', read['name']),
    ...line(zh ? '描述' : 'Description', read['description']),
    ...listed(zh ? '- 脚本' : '- Scripts', keys('scripts'), language),
    ...listed(zh ? '- 依赖' : '- Dependencies', keys('dependencies'), language),
  ]
  return `${lead}\n\n${lines.join('\n') || fenced(opening(text))}`
}

function parsed(text: string): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
