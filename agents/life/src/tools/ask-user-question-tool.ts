import { z } from 'zod'

import { defineTool, type Tool } from 'dragoman/agents'
import { cardResult } from './card-result.ts'
import texts from './card-texts.json' with { type: 'json' }
import { cardLanguage } from './card-language.ts'

const MAX_OPTIONS = 4

/** Asks a question with buttons. It does not wait: the answer is the user's next message. */
export function askUserQuestionTool(): Tool {
  return defineTool({
    name: 'ask_user_question',
    description:
      'Shows one question with up to four answers to pick from. Call it when the next step depends on a choice ' +
      'that is the user\'s (选哪个, 想聊哪方面, "which one"): not for birth data, for which there is request_info. It ' +
      "returns at once: end your turn after it, without repeating the question. The answer is the user's next " +
      'message.',
    inputSchema: z.object({
      question: z.string().trim().min(1).max(300),
      options: z.array(z.string().trim().min(1).max(80)).max(MAX_OPTIONS).default([]),
    }),
    idempotent: true,
    execute: async ({ question, options }, { context }) => {
      const labels = [...new Set(options)]
      const hint = labels.length > 0 ? [texts.pickOne[cardLanguage(context, question)]] : []
      const text = [question, ...labels.map((label, index) => `${index + 1}. ${label}`), ...hint].join('\n')
      return cardResult({ status: 'asking', cardType: 'question', question, options: labels }, text)
    },
  })
}
