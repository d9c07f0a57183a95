import type { DemoLanguage, DemoOutcome } from 'dragoman/agents'
import type { Deed, Phrase } from './deed.ts'
import { explained, projectTold } from './explained.ts'
import { fenced } from './fenced.ts'
import { outcomeOf, stepsOf } from './steps.ts'

/** One sentence on what is about to be done. */
export function thoughtOf(deed: Deed, language: DemoLanguage): string {
  const { en, zh } = named(deed)
  return language === 'zh' ? `我来${zh}。` : `I will ${en}.`
}

/** What came of a deed, adding nothing that the tools did not return. */
export function tell(deed: Deed, outcomes: readonly DemoOutcome[], language: DemoLanguage): string {
  const found = stepsOf(deed, outcomes).flatMap((step) => outcomeOf(step, outcomes) ?? [])
  if (deed.kind === 'project') return projectTold(found, language)
  const [outcome] = found
  if (!outcome) return ''
  const { en, zh } = named(deed)
  const text = outcome.text.trim()
  if (!outcome.ok) {
    return language === 'zh'
      ? `没能${zh}：${text || '工具没有说明原因。'}`
      : `I could not ${en}: ${text || 'the tool does not say why.'}`
  }
  if (deed.kind === 'explain') return explained(deed.path, text, language)
  const lead = {
    en: `${leads[deed.kind].en}${subject(deed)}:`,
    zh: `${leads[deed.kind].zh}${subject(deed)}：`,
  }
  if (text === '') return { en: `${lead.en} nothing came back.`, zh: `${lead.zh}没有返回内容。` }[language]
  return `${lead[language]}\n\n${fenced(text)}`
}

/** That something was not even tried. */
export function tellUndone(deeds: readonly Deed[], language: DemoLanguage): string {
  const all = deeds.map((deed) => named(deed)[language])
  return language === 'zh'
    ? `因为前面的步骤失败了，我没有${all.join('，也没有')}。`
    : `Because of that I did not ${all.join(', nor ')}.`
}

/** A command that ran and failed has an outcome as well: its first line tells. */
export function hasFailed(deed: Deed, outcomes: readonly DemoOutcome[]): boolean {
  const all = stepsOf(deed, outcomes).map((step) => outcomeOf(step, outcomes))
  if (deed.kind !== 'run') return all.some((outcome) => outcome?.ok === false)
  return all.some((outcome) => !outcome?.ok || !/^Exit code 0\b/.test(outcome.text.trimStart()))
}

const leads: Readonly<Record<Exclude<Deed['kind'], 'project' | 'explain'>, Phrase>> = {
  read: { en: 'This stands in ', zh: '我读取了 ' },
  list: { en: 'This is in ', zh: '我列出了 ' },
  search: { en: 'I searched for ', zh: '我搜索了 ' },
  glob: { en: 'I looked for files that match ', zh: '我按名称查找了 ' },
  replace: { en: 'I edited ', zh: '我修改了 ' },
  create: { en: 'I wrote ', zh: '我写了 ' },
  compare: { en: 'I compared ', zh: '我比较了 ' },
  run: { en: 'I ran ', zh: '我运行了 ' },
}

function subject(deed: Exclude<Deed, { kind: 'project' }>): string {
  switch (deed.kind) {
    case 'search':
      return [code(deed.words), deed.include, deed.path].filter(Boolean).join(' · ')
    case 'glob':
      return [code(deed.pattern), deed.path].filter(Boolean).join(' · ')
    case 'compare':
      return `${deed.a} · ${deed.b}`
    case 'run':
      return code(deed.command)
    case 'list':
      return deed.path === '.' ? './' : deed.path
    case 'read':
    case 'explain':
    case 'replace':
    case 'create':
      return deed.path
  }
}

function named(deed: Deed): Phrase {
  if (deed.kind === 'project')
    return { en: 'look at what is here, and read what tells of it', zh: '看看这里有什么，再读说明文件' }
  const what = subject(deed)
  const verbs: Readonly<Record<typeof deed.kind, Phrase>> = {
    read: { en: 'read', zh: '读取' },
    explain: { en: 'read', zh: '读取' },
    list: { en: 'list', zh: '列出' },
    search: { en: 'search for', zh: '搜索' },
    glob: { en: 'find files like', zh: '查找文件' },
    replace: { en: 'edit', zh: '修改' },
    create: { en: 'write', zh: '写入' },
    compare: { en: 'compare', zh: '比较' },
    run: { en: 'run', zh: '运行' },
  }
  const { en, zh } = verbs[deed.kind]
  return { en: `${en} ${what}`, zh: `${zh} ${what} `.trimEnd() }
}

function code(words: string): string {
  return words.includes('`') ? `“${words}”` : `\`${words}\``
}
