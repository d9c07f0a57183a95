import type { View } from 'dragoman/modules'

const card = (name: string): URL => new URL(`../page/${name}-card.js`, import.meta.url)

/** Its greeting and the cards of its tools in the console. */
export const views: readonly View[] = [
  { module: card('greeting'), isWelcome: true },
  { module: card('chart'), tools: ['show_bazi_chart', 'calculate_bazi'] },
  { module: card('form'), tools: ['request_info', 'collect_bazi_info'] },
  { module: card('kline'), tools: ['show_bazi_kline'] },
  { module: card('choice'), tools: ['ask_user_question'] },
]
