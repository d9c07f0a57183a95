import type { DemoLanguage } from './script.ts'

/** Says who answers and how to get a real model. It ends the first answer of a thread. */
export const introduction: Readonly<Record<DemoLanguage, string>> = {
  en:
    "I am dragoman's demo model: I follow a script and really call the tools. " +
    'To talk with a real model, connect one under Models in the console, or set ANTHROPIC_API_KEY or OPENAI_API_KEY.',
  zh:
    '我是 dragoman 的演示模型：按脚本回答，会真实调用工具。' +
    '要与真正的模型对话，请在控制台的“模型”页面连接，或设置 ANTHROPIC_API_KEY 或 OPENAI_API_KEY。',
}

export const keySteps: Readonly<Record<DemoLanguage, string>> = {
  en: `I am dragoman's demo model. These steps get you a real one:

1. Get an API key, for example from Anthropic or OpenAI.
2. Paste it under Models in the console. It is in effect at once, in this thread too.
3. Or set ANTHROPIC_API_KEY, OPENAI_API_KEY or GOOGLE_API_KEY in the environment of the server, and restart it.
   For a model server of your own that speaks OpenAI's API, set OPENAI_BASE_URL.`,
  zh: `我是 dragoman 的演示模型。接入真正的模型只要三步：

1. 申请一个 API 密钥，例如 Anthropic 或 OpenAI 的。
2. 在控制台的“模型”页面填写，立即生效，这个会话也一样。
3. 或者在服务器的环境变量里设置 ANTHROPIC_API_KEY、OPENAI_API_KEY 或 GOOGLE_API_KEY 并重启服务器；
   自建的 OpenAI 兼容服务则设置 OPENAI_BASE_URL。`,
}

/** "How do I get a real model?", "怎么接入真实模型？" */
export function isAboutKeys(message: string): boolean {
  return /\breal (?:\w+ )?model\b|\bapi key\b|(?:真实|真正|接入|配置|设置|更换|换成).{0,6}(?:模型|密钥|API)/i.test(
    message,
  )
}

/** The one sentence for every message that the script does not know. */
export function unknownRequest(examples: readonly string[], language: DemoLanguage): string {
  if (language === 'zh') {
    const offer = examples.map((example) => `“${example}”`).join('')
    const opening = '我是 dragoman 的演示模型，只会按脚本回答'
    const advice = '连接真正的模型：在控制台的“模型”页面，或设置 ANTHROPIC_API_KEY 或 OPENAI_API_KEY。'
    return offer === ''
      ? `${opening}，这里没有脚本：请${advice}`
      : `${opening}：可以试试${offer}，或者${advice}`
  }
  const offer = examples.map((example) => `“${example}”`).join(', ')
  const opening = "I am dragoman's demo model and only follow a script"
  const advice =
    'connect a real model: under Models in the console, or by ANTHROPIC_API_KEY or OPENAI_API_KEY.'
  return offer === ''
    ? `${opening}, which this agent does not have: ${advice}`
    : `${opening}: try ${offer}, or ${advice}`
}
