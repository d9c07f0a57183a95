import { z } from 'zod'

/** The life agent's fields of `config.yaml`. */
export const settings = z.object({
  vibelifeStream: z.enum(['parts', 'marks'], 'must be parts or marks').default('parts').meta({
    flag: 'vibelife-stream',
    value: 'FORM',
    help: 'parts or marks: how pages of AI SDK 4 get the cards of the life agent, marks being within the text (parts)',
  }),
})
export type LifeSettings = z.output<typeof settings>
