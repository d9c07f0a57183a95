import type { AgentServices } from 'dragoman/agents'
import type { Memories } from '../memories/memory.ts'
import type { WorldPlaces } from '../places/place.ts'
import type { Profiles } from '../profile/profile.ts'
import type { Feature } from '../feature.ts'
import { askUserQuestionTool } from './ask-user-question-tool.ts'
import { calculateBaziTool } from './calculate-bazi-tool.ts'
import { chartRoutes } from './chart-routes.ts'
import { collectBaziInfoTool, requestInfoTool } from './request-info-tools.ts'
import { searchDbTool } from './search-db-tool.ts'
import { showBaziChartTool } from './show-bazi-chart-tool.ts'
import { showBaziFortuneTool } from './show-bazi-fortune-tool.ts'
import { showBaziKlineTool } from './show-bazi-kline-tool.ts'
import { showInsightTool } from './show-insight-tool.ts'
import { showRelationshipTool } from './show-relationship-tool.ts'
import { showReportTool } from './show-report-tool.ts'

export type CardPorts = {
  readonly profiles: Profiles
  readonly places: WorldPlaces
  readonly memories: Memories
  readonly services: AgentServices
}

/** Tools that show cards and forms. */
export function cardsFeature({ profiles, places, memories, services }: CardPorts): Feature {
  const now = (): Date => new Date()
  return {
    routes: chartRoutes(profiles, now),
    tools: [
      requestInfoTool(),
      collectBaziInfoTool(),
      calculateBaziTool(profiles, places),
      showBaziChartTool(profiles),
      showBaziFortuneTool(profiles, now),
      showBaziKlineTool(profiles, now),
      showRelationshipTool(profiles, places, now),
      showInsightTool(),
      showReportTool(),
      askUserQuestionTool(),
      searchDbTool(services.searchMessages, memories),
    ],
  }
}
