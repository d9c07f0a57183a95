import { z } from 'zod'

import { languages } from '../language.ts'
import { voices } from '../voice.ts'

export const greetingTypes = ['morning', 'noon', 'afternoon', 'evening'] as const
export type GreetingType = (typeof greetingTypes)[number]

/** The documented answer, with the fields of its API and of its page. */
export const greetingShape = z.object({
  success: z.literal(true),
  greeting: z.string(),
  fortune_hint: z
    .string()
    .describe('What the almanac calls the day good for, and what not; at most 50 characters.'),
  action_tip: z.string().describe('A small step; at most 50 characters.'),
  title: z.string(),
  body: z.string().describe('The greeting without its hello.'),
  todayTip: z.string().describe('As `fortune_hint`.'),
  actionItem: z.object({ text: z.string(), completed: z.literal(false) }),
  solarTerm: z.string().describe('The solar term in which the day lies.'),
  termDescription: z.string(),
  date: z.iso.date().describe('The day that it is in the user’s zone.'),
  language: z.enum(languages),
  voice: z.enum(voices).describe('`warm`, whatever was asked for, where there are signs of self-harm.'),
  greeting_type: z.enum(greetingTypes),
  basis: z
    .object({
      dayPillar: z.string(),
      theme: z.string(),
      personal: z.boolean(),
      dayMaster: z.string().optional(),
      relation: z.enum(['clash', 'union']).optional(),
      term: z.string(),
      termOccasion: z.enum(['today', 'tomorrow']).optional(),
      festivals: z.array(z.string()).readonly(),
      lunar: z.string(),
      good: z.array(z.string()),
      avoid: z.array(z.string()),
    })
    .describe(
      'What was computed, by its Chinese names: `theme` is a ten god, or an element where no birth is known.',
    ),
  disclaimer: z.string(),
  support: z
    .object({
      text: z.string(),
      resources: z.array(
        z.object({
          name: z.string(),
          contact: z.string(),
          note: z.string(),
          country: z.string().optional(),
        }),
      ),
    })
    .optional()
    .describe('Only where what the user wrote in their profile shows signs of self-harm.'),
})

export type Greeting = z.infer<typeof greetingShape>
