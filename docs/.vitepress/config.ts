import { defineConfig, type DefaultTheme } from 'vitepress'

import { plainRepositoryLinks } from './links.ts'
import { writePagesForModels } from './pages-for-models.ts'
import { sidebar } from './sidebar.ts'

const chinese: DefaultTheme.Config = {
  nav: [
    { text: '指南', link: '/zh/guide/start', activeMatch: '/zh/guide/' },
    { text: '智能体', link: '/zh/agents/', activeMatch: '/zh/agents/' },
    { text: '参考（英文）', link: '/reference/configuration' },
    { text: '运维（英文）', link: '/operate/telemetry' },
  ],
  sidebar: sidebar('zh'),
  outline: { label: '本页内容', level: [2, 3] },
  docFooter: { prev: '上一页', next: '下一页' },
  sidebarMenuLabel: '目录',
  returnToTopLabel: '回到顶部',
  darkModeSwitchLabel: '深色模式',
  lightModeSwitchTitle: '切换到浅色模式',
  darkModeSwitchTitle: '切换到深色模式',
  langMenuLabel: '语言',
  skipToContentLabel: '跳到正文',
}

export default defineConfig({
  title: 'dragoman',
  description: 'A self-hosted server for streaming agent chat',
  lang: 'en-US',
  cleanUrls: true,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/logo.svg' }]],
  // Addresses of a server on the reader's machine, which the build cannot follow.
  ignoreDeadLinks: [/^https?:\/\/(?:127\.0\.0\.1|localhost)/],
  buildEnd: writePagesForModels,
  markdown: { config: plainRepositoryLinks, anchor: { slugify: headingId } },
  locales: {
    root: { label: 'English', lang: 'en-US' },
    zh: {
      label: '简体中文',
      lang: 'zh-CN',
      description: '自托管的流式智能体聊天服务器',
      themeConfig: chinese,
    },
  },
  themeConfig: {
    logo: '/logo.svg',
    nav: [
      { text: 'Guide', link: '/guide/start', activeMatch: '/guide/' },
      { text: 'Reference', link: '/reference/configuration', activeMatch: '/reference/' },
      { text: 'Agents', link: '/agents/', activeMatch: '/agents/' },
      { text: 'Operate', link: '/operate/telemetry', activeMatch: '/operate/' },
      { text: 'Decisions', link: '/decisions/', activeMatch: '/decisions/' },
    ],
    sidebar: sidebar('en'),
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        miniSearch: { options: { tokenize: searchTokens } },
        locales: {
          zh: {
            translations: {
              button: { buttonText: '搜索', buttonAriaLabel: '搜索' },
              modal: {
                noResultsText: '没有结果',
                resetButtonTitle: '清除',
                footer: { selectText: '打开', navigateText: '切换', closeText: '关闭' },
              },
            },
          },
        },
      },
    },
  },
})

/** As GitHub makes it, so that one address works in both. */
function headingId(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')
}

/** Words, and for Chinese single characters, because Chinese has no spaces. It runs in the browser too: no imports. */
function searchTokens(text: string): string[] {
  return text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}_]+(?:[-./][\p{L}\p{N}_]+)*/gu) ?? []
}
