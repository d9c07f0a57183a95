import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { DefaultTheme } from 'vitepress'

type Language = 'en' | 'zh'
/** Pages are named by their files in the folder; `''` is the folder's index. */
type Section = readonly [title: readonly [en: string, zh?: string], folder: string, pages: readonly string[]]

const GUIDE: readonly Section[] = [
  [['Start', '开始'], '/guide/', ['start', 'console']],
  [['Concepts', '概念'], '/guide/concepts/', ['run', 'log', 'thread', 'protocol']],
  [
    ['Build an agent', '编写智能体'],
    '/guide/',
    [
      'own-agent',
      'documents',
      'tools',
      'client-tools',
      'resume-and-stop',
      'models',
      'mcp',
      'engines',
      'testing',
    ],
  ],
  [
    ['From a client that you have', '从现有的客户端迁移'],
    '/guide/from/',
    ['use-ai', 'vibelife', 'ecritis-agent', 'qwen-code', 'wall-e'],
  ],
  [['Run it', '运维'], '/guide/', ['embedding', 'deploying', 'users', 'upgrading', 'backup']],
]

const JOBS = [
  '',
  'board',
  'postings',
  'intake',
  'sources',
  'resumes',
  'judging',
  'tailoring',
  'documents',
  'analytics',
]
const AGENTS: readonly Section[] = [
  [['Agents', '智能体'], '/agents/', ['', 'safety']],
  [['jobs', 'jobs 求职'], '/agents/jobs/', JOBS],
  [['coding', 'coding 编程'], '/agents/coding/', ['']],
  [['life', 'life 陪伴'], '/agents/life/', ['', 'births', 'chart', 'greeting', 'memory', 'cards', 'skills']],
  [['assistant', 'assistant 助手'], '/agents/assistant/', ['']],
  [['workflows', 'workflows 工作流'], '/agents/workflows/', ['']],
]

const PROTOCOLS =
  'ui-message-stream data-stream ag-ui native agent-events envelope eve wall-e vibelife vibelife-marks'.split(
    ' ',
  )
const SURFACES = 'server chat ag-ui copilotkit socket-io agent-chat chat-stream files vibelife'.split(' ')
const REFERENCE: readonly Section[] = [
  [['Reference'], '/reference/', ['configuration', 'cli', 'v1', 'log', 'agent-module', 'client']],
  [['Wire formats'], '/reference/protocols/', PROTOCOLS],
  [['Surfaces'], '/reference/surfaces/', SURFACES],
]

const ENTRIES = [
  'dragoman',
  'dragoman/testing',
  '@dragoman/ag-ui',
  '@dragoman/client',
  '@dragoman/client/use-chat',
  '@dragoman/client/v1',
  '@dragoman/pi',
  '@dragoman/socket-io',
  '@dragoman/telemetry',
]
/** Made from docstrings, so they have no file. */
const API: DefaultTheme.SidebarItem = {
  text: 'API',
  items: ENTRIES.map((text) => {
    const name = text.replace('@dragoman/', '').replace('/', '-')
    return { text, link: `/reference/api/${name}` }
  }),
}

const OPERATE: readonly Section[] = [
  [
    ['Operate'],
    '/operate/',
    [
      'cluster',
      'managed-postgres',
      'deploy',
      'reverse-proxy',
      'telemetry',
      'logs',
      'explain',
      'limits',
      'quotas',
      'security',
      'migrate',
      'chaos',
    ],
  ],
]

/** The sidebar of one language. Reference and operation exist in English only. */
export function sidebar(language: Language): DefaultTheme.SidebarMulti {
  const prefix = language === 'zh' ? '/zh' : ''
  const items = (sections: readonly Section[]): DefaultTheme.SidebarItem[] =>
    sections.map(([title, folder, pages]) => ({
      text: title[language === 'zh' ? 1 : 0] ?? title[0],
      items: pages.map((page) => pageItem(`${prefix}${folder}${page}`, language)),
    }))
  const translated = { [`${prefix}/guide/`]: items(GUIDE), [`${prefix}/agents/`]: items(AGENTS) }
  if (language === 'zh') return translated
  return { ...translated, '/reference/': [...items(REFERENCE), API], '/operate/': items(OPERATE) }
}

/** A page under its own heading, without the addresses that the heading lists. */
function pageItem(link: string, language: Language): DefaultTheme.SidebarItem {
  if (/\/agents\/\w+\/$/.test(link)) return { text: language === 'zh' ? '概览' : 'Overview', link }
  const path = join(import.meta.dirname, '..', `${link.replace(/\/$/, '/index')}.md`)
  const heading = /^# (.+)$/m.exec(readFileSync(path, 'utf8'))?.[1] ?? link
  return { text: heading.replace(/[:：] ?`.*/, '').replaceAll('`', ''), link }
}
