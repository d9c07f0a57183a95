import type { View } from 'dragoman/modules'

const module = (name: string): URL => new URL(`../page/${name}.js`, import.meta.url)

/** Its page, its greeting and the cards of its tools in the console. */
export const views: readonly View[] = [
  { kind: 'page', module: module('life-page'), title: { en: 'Life', zh: '人生' } },
  { kind: 'welcome', module: module('greeting-welcome') },
  { kind: 'card', module: module('chart-card'), tools: ['show_bazi_chart', 'calculate_bazi'] },
  { kind: 'card', module: module('form-card'), tools: ['request_info', 'collect_bazi_info'] },
  { kind: 'card', module: module('kline-card'), tools: ['show_bazi_kline'] },
  { kind: 'card', module: module('choice-card'), tools: ['ask_user_question'] },
]
