import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { Ajv, type ValidateFunction } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

import { flagFields } from '../packages/dragoman/src/config/index.ts'

const ROOT = join(import.meta.dirname, '..')
/** What the server reads besides its settings. */
const OTHER_VARIABLES = ['DRAGOMAN_HOME', 'DRAGOMAN_SECRET', 'DRAGOMAN_OLD_SECRET']

type Service = { readonly [key: string]: unknown; readonly image: string }
type ComposeFile = { readonly services: Readonly<Record<string, Service>> }

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const readYaml = (file: string): unknown => parse(read(file), { merge: true })
/** Without its `$schema`, which names draft 7 by an address that ajv does not know. */
const compile = (file: string): ValidateFunction => {
  const { $schema: _, ...schema } = JSON.parse(read(file)) as Record<string, unknown>
  return new Ajv({ strict: false, validateFormats: false }).compile(schema)
}

describe.each(['compose.yaml', 'compose.cluster.yaml'])('%s', (file) => {
  const compose = readYaml(`deploy/${file}`) as ComposeFile

  it('follows the schema of compose files', () => {
    const validate = compile('test/schemas/compose-spec.json')

    validate(compose)

    expect(validate.errors).toBe(null)
  })

  it.each(Object.entries(compose.services))('gives %s no more rights than it needs', (_name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      restart: 'unless-stopped',
    })
  })
})

describe('the Helm chart', () => {
  const schema = 'deploy/helm/dragoman/values.schema.json'
  const values = readYaml('deploy/helm/dragoman/values.yaml') as object

  it.each([
    ['the default values', {}, []],
    ['an unknown value', { replicas: 2 }, ['additionalProperties']],
    ['a sidecar without a name', { extraContainers: [{ image: 'proxy' }] }, ['required']],
    ['an annotation that is a number', { podAnnotations: { port: 3033 } }, ['type']],
    ['a label of its own', { podLabels: { 'azure.workload.identity/use': 'true' } }, []],
    ['a label that is in the selector', { podLabels: { 'app.kubernetes.io/name': 'chat' } }, ['not']],
    ['a label that the chart sets', { podLabels: { 'helm.sh/chart': 'chat' } }, ['not']],
    ['no replica', { replicaCount: 0 }, ['minimum']],
    ['a number as a variable, which YAML may round', { env: { DRAGOMAN_RATE_LIMIT: 1e6 } }, ['type']],
    [
      'a database that is not PostgreSQL',
      { secret: { values: { DATABASE_URL: 'mysql://db' } } },
      ['pattern'],
    ],
  ])('checks %s', (_name, changes, keywords) => {
    const validate = compile(schema)

    validate({ ...values, ...changes })

    expect((validate.errors ?? []).map(({ keyword }) => keyword)).toEqual(expect.arrayContaining(keywords))
    expect(validate.errors === null).toBe(keywords.length === 0)
  })

  it('checks the example of the documentation', () => {
    const [, example = ''] = /```yaml\n# values\.yaml\n([^]+?)```/.exec(read('docs/operate/deploy.md')) ?? []
    const validate = compile(schema)

    validate({ ...values, ...(parse(example) as object) })

    expect(Object.keys(parse(example) as object)).toContain('networkPolicy')
    expect(validate.errors).toBe(null)
  })

  it('scales by a metric that the server has', () => {
    const [, metric = ''] =
      /metric: \{ name: (\w+) \}/.exec(read('deploy/helm/dragoman/templates/horizontalpodautoscaler.yaml')) ??
      []

    expect(read('packages/telemetry/src/gauges.ts')).toContain(`'${metric.replaceAll('_', '.')}'`)
  })

  it('has the version of the server', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string }

    expect(readYaml('deploy/helm/dragoman/Chart.yaml')).toMatchObject({ version, appVersion: version })
  })
})

it.each(['deploy/Dockerfile', 'deploy/helm/dragoman/templates/_pod.tpl'])(
  '%s sets the heap from the memory of the container',
  (file) => {
    const [flag = '', percent] =
      /NODE_OPTIONS\W+(?:value: ")?(--[\w-]+)=(\d+)/.exec(read(file))?.slice(1) ?? []

    expect(flag).toBe('--max-old-space-size-percentage')
    expect(process.allowedNodeEnvironmentFlags.has(flag)).toBe(true)
    expect(Number(percent)).toBeLessThanOrEqual(75)
  },
)

it('each variable in the files of a deployment exists', () => {
  const flags = Object.values(flagFields([])).map(({ flag }) => flag.toUpperCase().replaceAll('-', '_'))
  const existing = new Set([...OTHER_VARIABLES, ...flags.map((flag) => `DRAGOMAN_${flag}`)])
  const files = globSync(['deploy/**/*', 'docs/operate/{deploy,reverse-proxy}.md'], {
    cwd: ROOT,
    withFileTypes: true,
  }).filter((entry) => entry.isFile())

  const variables = files.flatMap(({ parentPath, name }) =>
    Array.from(
      readFileSync(join(parentPath, name), 'utf8').matchAll(/\bDRAGOMAN_[A-Z_]+/g),
      ([found]) => found,
    ),
  )

  expect(variables.length).toBeGreaterThan(10)
  expect(variables.filter((variable) => !existing.has(variable))).toEqual([])
})

it('the user of the image has the same number everywhere', () => {
  const user = /^USER (\d+):\d+$/m.exec(read('deploy/Dockerfile'))?.[1] ?? ''

  expect(read('deploy/Dockerfile')).toContain(`useradd --uid ${user} `)
  expect(read('deploy/compose.cluster.yaml')).toContain(`uid=${user},gid=${user}`)
  expect(read('deploy/helm/dragoman/templates/_pod.tpl')).toContain(`runAsUser: ${user}\n`)
})

it('a pod may take ten minutes to start, and its drain ends before Kubernetes does', () => {
  const deployment = readFileSync(join(ROOT, 'deploy/helm/dragoman/templates/deployment.yaml'), 'utf8')
  const [, period, failures] =
    /startupProbe:[^]{0,300}?periodSeconds: (\d+)\s+failureThreshold: (\d+)/.exec(deployment) ?? []

  expect(Number(period) * Number(failures)).toBeGreaterThanOrEqual(600)
  expect(deployment).toContain(
    'terminationGracePeriodSeconds: {{ add .Values.preStopSeconds .Values.drainSeconds 10 }}',
  )
})
