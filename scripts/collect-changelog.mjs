// After `changeset version`: moves the newest section that changesets wrote into CHANGELOG.md of the repository, which
// has one section for each version, and sets that version of the repository and of the Helm chart.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { root, workspacePackages } from './workspace.mjs'

const { version } = workspacePackages[0].manifest
const entries = new Set()
for (const { folder } of workspacePackages) {
  const file = join(root, folder, 'CHANGELOG.md')
  if (!existsSync(file)) continue
  const [, section = ''] = readFileSync(file, 'utf8').split(/^## .*$/m)
  // Each package lists the same changes, and those of the packages that it depends on.
  for (const entry of section.split(/^(?=- )/m))
    if (entry.startsWith('- ') && !entry.startsWith('- Updated dependencies'))
      entries.add(
        entry
          .replace(/^- [0-9a-f]{7,}: /, '- ')
          .replace(/^### .*$/gm, '')
          .trim(),
      )
  rmSync(file)
}
const target = join(root, 'CHANGELOG.md')
const [title, ...versions] = readFileSync(target, 'utf8').split(/^(?=## )/m)
const added = `## ${version}\n\n${[...entries].join('\n')}\n\n`
if (entries.size > 0) writeFileSync(target, [title, added, ...versions].join(''))

const manifestFile = join(root, 'package.json')
const manifest = readFileSync(manifestFile, 'utf8')
writeFileSync(manifestFile, manifest.replace(/"version": "[^"]*"/, `"version": "${version}"`))

const chartFile = join(root, 'deploy/helm/dragoman/Chart.yaml')
const chart = readFileSync(chartFile, 'utf8')
writeFileSync(chartFile, chart.replaceAll(/^((?:appV|v)ersion): .*$/gm, `$1: ${version}`))
