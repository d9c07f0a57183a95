import type { AgentServices } from 'dragoman/agents'
import type { Memories } from '../memories/memory.ts'
import type { Places } from '../places/place.ts'
import type { Profiles } from '../profile/profile.ts'
import type { Feature } from '../feature.ts'
import { askUserQuestionTool } from './ask-user-question.ts'
import { calculateBazi } from './calculate-bazi.ts'
import { collectBaziInfo, requestInfo } from './request-info.ts'
import { searchDb } from './search-db.ts'
import { showBaziChart } from './show-chart.ts'
import { showBaziFortune } from './show-fortune.ts'
import { showBaziKline } from './show-kline.ts'
import { showInsight } from './show-insight.ts'
import { showRelationship } from './show-relationship.ts'
import { showReport } from './show-report.ts'

export type CardPorts = {
  readonly profiles: Profiles
  readonly places: Places
  readonly memories: Memories
  readonly services: AgentServices
}

/** Tools that show cards and forms. */
export function cardsFeature({ profiles, places, memories, services }: CardPorts): Feature {
  const now = (): Date => new Date()
  return {
    tools: [
      requestInfo(),
      collectBaziInfo(),
      calculateBazi(profiles, places),
      showBaziChart(profiles),
      showBaziFortune(profiles, now),
      showBaziKline(profiles, now),
      showRelationship(profiles, places, now),
      showInsight(),
      showReport(),
      askUserQuestionTool(),
      searchDb(services.searchMessages, memories),
    ],
  }
}
