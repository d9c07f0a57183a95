import type { z } from 'zod'

import { defineTool, toolResult, type Tool } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import { isJsonObject, type Json } from 'dragoman/events'
import { cardLanguage } from '../tools/card-language.ts'
import { cardText } from './card-text.ts'
import { createCardInputSchema } from './card-input-schema.ts'
import type { SkillCard, SkillTool } from './skill.ts'

const MAX_CARD_LENGTH = 16_000

/** The tool of a card that a skill brings: it shows what it is called with, under `data`. */
export function cardTool(skill: string, { name, group, whenToCall }: SkillTool, card: SkillCard): Tool {
  const collects = group === 'collect'
  const end = collects ? 'It asks the user for something: end your turn once it is shown.' : ''
  return defineTool({
    name,
    description: [card.description, whenToCall && `When: ${whenToCall}`, `A card of the skill ${skill}.`, end]
      .filter(Boolean)
      .join(' '),
    inputSchema: createCardInputSchema(card.parameters) as z.ZodType<Json>,
    idempotent: true,
    execute: async (data, { context }) => {
      const size = JSON.stringify(data).length
      if (size > MAX_CARD_LENGTH) {
        throw new ServiceError(
          'invalid-input',
          `The card has ${size} characters; at most ${MAX_CARD_LENGTH} can be shown.`,
        )
      }
      const status = collects ? 'collecting' : 'success'
      const text = cardText(card.parameters, data, cardLanguage(context))
      const form = card.form && { ...questionIn(data), fields: card.form }
      const output = { status, cardType: card.cardType, skill, data, ...form, text }
      return toolResult({ output, text, data: card.data ? { name: card.data, value: data } : undefined })
    },
  })
}

/** The sentence above a form. */
function questionIn(data: Json): { readonly question?: string } {
  const question = isJsonObject(data) ? data['question'] : undefined
  return typeof question === 'string' ? { question } : {}
}
