import { z } from 'zod'

import { defineTool, type Tool, type ToolResult } from 'dragoman/agents'
import { formFields, formQuestion, infoTypes, type InfoType } from '../birth/forms.ts'
import type { Language } from '../language.ts'
import { cardResult } from './card-result.ts'
import { cardLanguage } from './card-language.ts'

/** Opens a form. It does not wait: the values come with the client's next message. */
export function requestInfoTool(): Tool {
  return defineTool({
    name: 'request_info',
    description:
      'Opens a form. Call it with info_type "birth" when a chart is wanted and no birth data is known (算八字, 看命盘, ' +
      '排盘, "my chart"), instead of asking for it line by line; with "context", "goals" or "concerns" when the user ' +
      'wants to tell what they live in, want or worry about. It returns at once: end your turn after it with a ' +
      'short sentence, and do not ask the same again. What is filled in is saved, and you are told so in the next ' +
      'message. Birth data that is already typed in the chat goes to calculate_bazi instead.',
    inputSchema: z.object({
      info_type: z.enum(infoTypes),
      question: z.string().trim().min(1).max(300).optional(),
    }),
    idempotent: true,
    execute: async ({ info_type, question }, { context }) => {
      const language = cardLanguage(context, question)
      return formCard(info_type, question ?? formQuestion(info_type, language), language)
    },
  })
}

/** The form for birth data under its earlier name. */
export function collectBaziInfoTool(): Tool {
  return defineTool({
    name: 'collect_bazi_info',
    description:
      'Opens the form for birth data, as request_info with info_type "birth" does; prefer that one. ' +
      'include_question: false leaves out the sentence above the form.',
    inputSchema: z.object({
      question: z.string().trim().min(1).max(300).optional(),
      include_question: z.boolean().default(true),
    }),
    idempotent: true,
    execute: async ({ question, include_question }, { context }) => {
      const language = cardLanguage(context, question)
      const heading = include_question ? (question ?? formQuestion('birth', language)) : undefined
      return formCard('birth', heading, language)
    },
  })
}

function formCard(infoType: InfoType, question: string | undefined, language: Language): ToolResult {
  const fields = formFields(infoType, language)
  const card = { infoType, ...(question !== undefined && { question }), fields }
  const lines = fields.map(({ label, placeholder, options, required }) => {
    const hint = options ? options.map((option) => option.label).join(' / ') : placeholder
    return `- ${label}${required ? ' *' : ''}${hint === '' ? '' : { zh: `（${hint}）`, en: ` (${hint})` }[language]}`
  })
  const text = [...(question === undefined ? [] : [question]), ...lines].join('\n')
  return cardResult({ status: 'collecting', cardType: 'collect_form', ...card }, text)
}
