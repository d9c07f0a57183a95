import type { View } from 'dragoman/modules'

/** The board, the resumes and the figures in the console. */
export const views: readonly View[] = [
  {
    kind: 'page',
    module: new URL('../page/jobs-page.js', import.meta.url),
    title: { en: 'Job board', zh: '求职看板' },
  },
]
