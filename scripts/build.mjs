// Writes dist/: JavaScript and declarations, by the compiler alone; and what the code reads beside itself.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const bin = join(root, 'dist/bin.js')
const SKILLS = 'capabilities/life/skills/shipped'

// A file that has left src/ must leave the package.
rmSync(join(root, 'dist'), { recursive: true, force: true })

const compiler = join(root, 'node_modules/typescript/bin/tsc')
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
})
if (status !== 0) process.exit(1)

if (!readFileSync(bin, 'utf8').startsWith('#!'))
  throw new Error(`${bin} has lost its first line, the shebang.`)
chmodSync(bin, 0o755)

cpSync(join(root, 'src', SKILLS), join(root, 'dist', SKILLS), { recursive: true })
