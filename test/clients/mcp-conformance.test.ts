import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { describe, expect, it } from 'vitest'

import { isFull } from '../support/is-full.ts'

const CLIENT = join(import.meta.dirname, '../support/mcp-conformance-client.ts')

/** The scenarios for clients that each version of the protocol requires, and the checks of each. */
const SCENARIOS: Readonly<Record<string, readonly (readonly [string, number])[]>> = {
  '2026-07-28': [
    ['tools_call', 2],
    ['request-metadata', 6],
    ['auth/metadata-default', 18],
    ['auth/metadata-var1', 18],
    ['auth/metadata-var2', 18],
    ['auth/metadata-var3', 18],
    ['auth/basic-cimd', 12],
    ['auth/scope-from-www-authenticate', 14],
    ['auth/scope-from-scopes-supported', 14],
    ['auth/scope-omitted-when-undefined', 14],
    ['auth/scope-step-up', 26],
    ['auth/scope-retry-limit', 27],
    ['auth/token-endpoint-auth-basic', 19],
    ['auth/token-endpoint-auth-post', 19],
    ['auth/token-endpoint-auth-none', 19],
    ['auth/pre-registration', 12],
    ['auth/resource-mismatch', 3],
    ['auth/offline-access-scope', 12],
    ['auth/offline-access-not-supported', 14],
    ['auth/authorization-server-migration', 28],
    ['auth/iss-supported', 14],
    ['auth/iss-not-advertised', 14],
    ['auth/iss-supported-missing', 8],
    ['auth/iss-wrong-issuer', 8],
    ['auth/iss-unexpected', 8],
    ['auth/iss-normalized', 8],
    ['auth/metadata-issuer-mismatch', 3],
    ['sep-2322-client-request-state', 5],
    ['http-standard-headers', 3],
    ['http-custom-headers', 18],
    ['http-invalid-tool-headers', 12],
    ['json-schema-ref-no-deref', 1],
  ],
  '2025-11-25': [
    ['initialize', 1],
    ['tools_call', 2],
    ['elicitation-sep1034-client-defaults', 5],
    ['sse-retry', 3],
    ['auth/metadata-default', 19],
    ['auth/metadata-var1', 19],
    ['auth/metadata-var2', 19],
    ['auth/metadata-var3', 19],
    ['auth/basic-cimd', 14],
    ['auth/scope-from-www-authenticate', 15],
    ['auth/scope-from-scopes-supported', 15],
    ['auth/scope-omitted-when-undefined', 15],
    ['auth/scope-step-up', 24],
    ['auth/scope-retry-limit', 26],
    ['auth/token-endpoint-auth-basic', 20],
    ['auth/token-endpoint-auth-post', 20],
    ['auth/token-endpoint-auth-none', 20],
    ['auth/pre-registration', 14],
  ],
  '2025-03-26': [
    ['auth/2025-03-26-oauth-metadata-backcompat', 13],
    ['auth/2025-03-26-oauth-endpoint-fallback', 8],
  ],
}

const cases = Object.entries(SCENARIOS).flatMap(([version, scenarios]) =>
  scenarios.map(([scenario, checks]) => ({ version, scenario, checks })),
)

describe.runIf(isFull)('the conformance suite of MCP, for clients', () => {
  it.each(cases)('of $version passes $scenario: $checks checks', async ({ version, scenario, checks }) => {
    const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))
    const options = ['--scenario', scenario, '--spec-version', version, '--timeout', '60000']
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [
      suite,
      'client',
      '--command',
      `${process.execPath} ${CLIENT}`,
      ...options,
    ])

    expect(stdout + stderr).toContain(`Passed: ${checks}/${checks}, 0 failed, 0 warnings`)
  })
})
