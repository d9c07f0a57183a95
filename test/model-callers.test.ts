import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const SOURCES = globSync('{packages,agents,apps}/*/src/**/*.ts', { cwd: ROOT }).filter(
  (path) => !/\.(test|fixture|contract)\.ts$|node_modules/.test(path),
)

/** What asks a model, or makes something that does. */
const ASKS = /\.do(?:Stream|Generate)\(|\bgenerateText\(|\bcreateToolModel\(/

/** Who pays for what each file asks. A new caller needs a line here: its usage must count and be limited. */
const PAYERS: Readonly<Record<string, string>> = {
  'packages/dragoman/src/engine/steps.ts': 'the run, by the usage of its steps, whatever its engine',
  'packages/dragoman/src/server/resolve-agents.ts': 'the run, by the usage of its tool',
  'packages/dragoman/src/server/deferred-agent-services.ts': 'the user, as a run',
  'packages/dragoman/src/server/title-generator.ts': 'the user of the thread, as a run',
  'apps/server/src/cli/doctor/check-agents.ts': 'the owner, who called the command',
  'apps/server/src/cli/doctor/check-models.ts': 'the owner, who called the command',
}

/** What reads the name of a model from a request or a row, or chooses a model. */
const NAMES =
  /\bmodelName\b|'llmConfig'|threadDefaults\([^)]*\)\.model|\bmodel: z\.string|models?\??\.choose\(/

/** How each file comes to a model that the user may run. A new one needs a line here. */
const CHECKS: Readonly<Record<string, string>> = {
  'packages/dragoman/src/runs/resolve-request.ts': 'modelFor, before anything is written',
  'packages/dragoman/src/engine/step-model.ts': 'the settings of modelFor, in each attempt',
  'packages/dragoman/src/protocols/native/parse.ts': 'resolve-request.ts, where the run starts',
  'packages/dragoman/src/protocols/request-fields.ts': 'the files that use the schema',
  'packages/dragoman/src/protocols/index.ts': 'the files that use the schema',
  'packages/dragoman/src/config/settings.ts': 'the owner, who sets it',
  'packages/dragoman/src/server/surfaces/chat/agent-status.ts': 'of an answer',
  'packages/dragoman/src/server/surfaces/v1/agents.ts': 'of an answer',
  'packages/dragoman/src/server/model-access.ts': 'it is the check',
  'packages/dragoman/src/server/resolve-agents.ts':
    'settingsFor; names of a caller’s llmConfig by requireModel',
  'packages/dragoman/src/server/deferred-agent-services.ts': 'settingsFor',
  'packages/dragoman/src/server/title-generator.ts': 'settingsFor',
  'packages/dragoman/src/server/surfaces/v1/threads.ts': 'requireModel for a change; else nothing is asked',
  'packages/dragoman/src/server/surfaces/v1/thread-openapi.ts': 'threads.ts',
  'packages/dragoman/src/server/surfaces/v1/providers.ts': 'the owner, who saves keys',
  'agents/coding/src/chat-stream/chat-stream-openapi.ts': 'start-and-follow.ts of the core',
  'agents/coding/src/chat-stream/session-openapi.ts': 'session-routes.ts, by requireModel',
  'agents/coding/src/agent-chat/agent-chat.ts': 'resolveForCaller',
  'agents/coding/src/protocols/envelope/parse.ts': 'it is for the description alone',
  'agents/jobs/src/judging/analysis.ts': 'of an answer',
  'agents/jobs/src/tailoring/version.ts': 'of an answer',
  'apps/server/src/cli/doctor/check-agents.ts': 'the owner, who called the command',
}

describe('what names a model', () => {
  it('is checked: a user runs only what is allowed', () => {
    const files = SOURCES.filter((path) => !path.startsWith('packages/dragoman/src/models/')).filter((path) =>
      NAMES.test(readFileSync(join(ROOT, path), 'utf8')),
    )

    expect(files.toSorted()).toEqual(Object.keys(CHECKS).toSorted())
  })
})

describe('what asks a model', () => {
  it('is counted and limited', () => {
    const callers = SOURCES.filter((path) => !path.startsWith('packages/dragoman/src/models/')).filter(
      (path) => ASKS.test(readFileSync(join(ROOT, path), 'utf8')),
    )

    expect(callers.toSorted()).toEqual(Object.keys(PAYERS).toSorted())
  })
})
