import { z } from 'zod'

import { defineTool, type Tool } from 'dragoman/agents'
import { cardResult } from './card-result.ts'
import texts from './card-texts.json' with { type: 'json' }
import { cardLanguage } from './card-language.ts'

const MAX_INSIGHTS = 4

const title = z.string().trim().min(1).max(80)
const content = z.string().trim().min(1).max(1000)
const input = z
  .object({
    insight_type: z.string().trim().min(1).max(40).default('general'),
    title: title.optional(),
    content: content.optional(),
    insights: z
      .array(z.object({ title: title.optional(), content }))
      .min(1)
      .max(MAX_INSIGHTS)
      .optional(),
  })
  .refine((fields) => fields.content !== undefined || fields.insights !== undefined, {
    path: ['content'],
    message: 'say it in content, or several in insights',
  })

/** Shows an insight as a card. */
export function showInsightTool(): Tool {
  return defineTool({
    name: 'show_insight',
    description:
      'Shows an insight card. Call it when a conversation has come to something worth keeping in mind (洞察, 总结一下, ' +
      '点醒我, "what do you make of this"): one insight in content, or up to four in insights. Write in the user\'s ' +
      'language, in plain words; an insight is an interpretation, not a prediction, a diagnosis or an order. Name ' +
      'no pillars or scores but those that a tool has returned.',
    inputSchema: input,
    idempotent: true,
    execute: async (fields, { context }) => {
      const all = fields.insights ?? [{ content: fields.content ?? '' }]
      const language = cardLanguage(context, all.map((each) => each.content).join(' '))
      const heading = fields.title ?? texts.keyInsight[language]
      const insights = all.map((each, index) => ({
        id: `insight-${index + 1}`,
        title: each.title ?? heading,
        content: each.content,
      }))
      const lines = insights.map((each, index) => {
        const name = each.title === heading ? '' : `${each.title}${language === 'zh' ? '：' : ': '}`
        return `${insights.length > 1 ? `${index + 1}. ` : ''}${name}${each.content}`
      })
      const card = {
        insightType: fields.insight_type,
        title: heading,
        insights,
        note: texts.reflection[language],
      }
      return cardResult(
        { status: 'success', cardType: 'insight_card', ...card },
        [heading, ...lines, card.note].join('\n'),
      )
    },
  })
}
