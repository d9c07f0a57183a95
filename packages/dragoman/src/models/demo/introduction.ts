import type { Phrase } from './language.ts'

/** By these words an earlier introduction is known. */
const marker: Phrase = {
  en: "I am dragoman's built-in offline model",
  zh: '我是 dragoman 内置的离线模型',
}

/** Says who is speaking and how to have a real model speak. */
export const introduction: Phrase = {
  en: `${marker.en}: I follow fixed rules, really call the tools, and make nothing up. To talk with a real model, set ANTHROPIC_API_KEY or OPENAI_API_KEY (or ANTHROPIC_BASE_URL / OPENAI_BASE_URL for a server of your own) and restart.`,
  zh: `${marker.zh}：我按固定规则行事，会真实调用工具，不编造内容。要与真正的模型对话，请设置 ANTHROPIC_API_KEY 或 OPENAI_API_KEY（自建服务用 ANTHROPIC_BASE_URL / OPENAI_BASE_URL），然后重启。`,
}

/** Whether a text contains the introduction, in whatever language. */
export function introducesItself(text: string): boolean {
  return text.includes(marker.en) || text.includes(marker.zh)
}
