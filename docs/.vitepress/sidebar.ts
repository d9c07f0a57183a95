import type { DefaultTheme } from 'vitepress'

type Item = DefaultTheme.SidebarItem
type Language = 'en' | 'zh'
type Page = readonly [en: string, zh: string, link: string]
type Group = { readonly title: readonly [en: string, zh: string]; readonly pages: readonly Page[] }

const GUIDE: readonly Group[] = [
  { title: ['Start', '开始'], pages: [['Start in ten minutes', '十分钟上手', '/guide/start']] },
  {
    title: ['Concepts', '概念'],
    pages: [
      ['Run', '运行', '/guide/concepts/run'],
      ['Log', '日志', '/guide/concepts/log'],
      ['Thread', '会话', '/guide/concepts/thread'],
      ['Protocol', '协议', '/guide/concepts/protocol'],
    ],
  },
  {
    title: ['Build an agent', '编写智能体'],
    pages: [
      ['Your own agent', '自己的智能体', '/guide/own-agent'],
      ['Tools and approvals', '工具与审批', '/guide/tools'],
      ['Client tools', '客户端工具', '/guide/client-tools'],
      ['Resume and stop', '续传与停止', '/guide/resume-and-stop'],
      ['Models', '模型', '/guide/models'],
      ['MCP', 'MCP', '/guide/mcp'],
      ['Engines', '引擎', '/guide/engines'],
      ['Testing', '测试', '/guide/testing'],
    ],
  },
  {
    title: ['Run it', '运维'],
    pages: [
      ['In your application', '嵌入应用', '/guide/embedding'],
      ['Deploying', '部署', '/guide/deploying'],
      ['Many users', '多用户', '/guide/users'],
      ['Upgrading', '升级', '/guide/upgrading'],
      ['Backup', '备份', '/guide/backup'],
    ],
  },
]

const AGENTS: readonly Group[] = [
  {
    title: ['Agents', '智能体'],
    pages: [
      ['Bundled agents', '内置智能体', '/agents/'],
      ['Safety', '安全', '/agents/safety'],
    ],
  },
  {
    title: ['jobs', 'jobs 求职'],
    pages: [
      ['Overview', '概览', '/agents/jobs/'],
      ['Postings', '职位', '/agents/jobs/postings'],
      ['Intake', '导入', '/agents/jobs/intake'],
      ['Sources', '来源', '/agents/jobs/sources'],
      ['Resumes', '简历', '/agents/jobs/resumes'],
      ['Judging', '评估', '/agents/jobs/judging'],
      ['Tailoring', '定制简历', '/agents/jobs/tailoring'],
      ['PDF and DOCX', 'PDF 与 DOCX', '/agents/jobs/documents'],
      ['Analytics', '统计', '/agents/jobs/analytics'],
    ],
  },
  { title: ['coding', 'coding 编程'], pages: [['Overview', '概览', '/agents/coding/']] },
  {
    title: ['life', 'life 陪伴'],
    pages: [
      ['Overview', '概览', '/agents/life/'],
      ['Births and places', '出生与地点', '/agents/life/births'],
      ['The chart', '命盘', '/agents/life/chart'],
      ['Greeting and almanac', '问候与黄历', '/agents/life/greeting'],
      ['Memory', '记忆', '/agents/life/memory'],
      ['Cards', '卡片', '/agents/life/cards'],
      ['Skills', '技能', '/agents/life/skills'],
    ],
  },
  { title: ['assistant', 'assistant 助手'], pages: [['Overview', '概览', '/agents/assistant/']] },
  { title: ['workflows', 'workflows 工作流'], pages: [['Overview', '概览', '/agents/workflows/']] },
]

const REFERENCE: Item[] = [
  {
    text: 'Reference',
    items: [
      { text: 'Configuration', link: '/reference/configuration' },
      { text: 'Command line', link: '/reference/cli' },
      { text: 'Threads and runs: /v1', link: '/reference/v1' },
      { text: 'The log', link: '/reference/log' },
      { text: 'Agent modules', link: '/reference/agent-module' },
      { text: '@dragoman/client', link: '/reference/client' },
    ],
  },
  {
    text: 'Wire formats',
    items: [
      'ui-message-stream',
      'data-stream',
      'ag-ui',
      'native',
      'agent-events',
      'envelope',
      'eve',
      'vibelife',
    ].map((text) => ({ text, link: `/reference/protocols/${text}` })),
  },
  {
    text: 'Surfaces',
    items: [
      { text: 'The server', link: '/reference/surfaces/server' },
      { text: 'Chat: /:agent/chat', link: '/reference/surfaces/chat' },
      { text: 'AG-UI: /ag-ui/:agent', link: '/reference/surfaces/ag-ui' },
      { text: 'CopilotKit: /copilotkit', link: '/reference/surfaces/copilotkit' },
      { text: 'Socket.IO: /socket.io', link: '/reference/surfaces/socket-io' },
      { text: '/api/agent-chat', link: '/reference/surfaces/agent-chat' },
      { text: '/api/chat/stream', link: '/reference/surfaces/chat-stream' },
      { text: '/api/files', link: '/reference/surfaces/files' },
      { text: '/api/v1/chat/v5', link: '/reference/surfaces/vibelife' },
    ],
  },
  {
    text: 'API',
    items: [
      { text: 'dragoman', link: '/reference/api/dragoman' },
      { text: 'dragoman/testing', link: '/reference/api/dragoman-testing' },
      { text: '@dragoman/client', link: '/reference/api/client' },
      { text: '@dragoman/pi', link: '/reference/api/pi' },
      { text: '@dragoman/socket-io', link: '/reference/api/socket-io' },
      { text: '@dragoman/telemetry', link: '/reference/api/telemetry' },
    ],
  },
]

const OPERATE: Item[] = [
  {
    text: 'Operate',
    items: [
      { text: 'Metrics and traces', link: '/operate/telemetry' },
      { text: 'Process log', link: '/operate/logs' },
      { text: 'Limits', link: '/operate/limits' },
      { text: 'Quotas', link: '/operate/quotas' },
      { text: 'Security model', link: '/operate/security' },
      { text: 'Chaos suite', link: '/operate/chaos' },
    ],
  },
]

/** The sidebar of one language. Reference and operation exist in English only. */
export function sidebar(language: Language): DefaultTheme.SidebarMulti {
  const prefix = language === 'zh' ? '/zh' : ''
  const column = language === 'zh' ? 1 : 0
  const items = (groups: readonly Group[]): Item[] =>
    groups.map(({ title, pages }) => ({
      text: title[column],
      items: pages.map((page) => ({ text: page[column], link: prefix + page[2] })),
    }))
  const translated = { [`${prefix}/guide/`]: items(GUIDE), [`${prefix}/agents/`]: items(AGENTS) }
  return language === 'zh' ? translated : { ...translated, '/reference/': REFERENCE, '/operate/': OPERATE }
}
