import { z } from 'zod'

import { defineTool, type Tool } from 'dragoman/agents'
import { cardResult } from './card-result.ts'
import { cardLanguage } from './card-language.ts'
import texts from './card-texts.json' with { type: 'json' }

const MAX_SECTIONS = 12

/** Shows a longer text in sections, as a page of its own. */
export function showReportTool(): Tool {
  return defineTool({
    name: 'show_report',
    description:
      'Shows a report with headings. Call it only when the user wants something longer to keep (报告, 完整分析, 整理成文, "a ' +
      'full write-up"), after the tools whose numbers it speaks of. Name no pillars, years or scores but those ' +
      'that a tool has returned; predict no events, diagnose nothing, decide nothing for the user.',
    inputSchema: z.object({
      title: z.string().trim().min(1).max(120),
      summary: z.string().trim().min(1).max(1000).optional(),
      sections: z
        .array(
          z.object({
            heading: z.string().trim().min(1).max(120),
            body: z.string().trim().min(1).max(4000),
          }),
        )
        .min(1)
        .max(MAX_SECTIONS),
    }),
    idempotent: true,
    execute: async ({ title, summary, sections }, { context }) => {
      const note = texts.reading[cardLanguage(context, title)]
      const parts = sections.map(({ heading, body }) => `## ${heading}\n\n${body}`)
      const text = [`# ${title}`, ...(summary === undefined ? [] : [summary]), ...parts, note].join('\n\n')
      const card = { title, ...(summary !== undefined && { summary }), note }
      return cardResult(
        {
          status: 'success',
          cardType: 'report',
          ...card,
          sections: sections.map((each, index) => ({ id: `section-${index + 1}`, ...each })),
        },
        text,
      )
    },
  })
}
