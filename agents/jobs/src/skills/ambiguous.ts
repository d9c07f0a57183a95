/** Names that are words of everyday too. */
const lists = {
  exact: `
    React, Rust, Ruby, Swift, Dart, Elixir, Bootstrap, Babel, Storybook, Flask, Celery, Rails, Flutter, Unreal, Electron,
    Helm, Puppet, Hive, Presto, Iceberg, Snowflake, Pulsar, Looker, Kanban, SAS, SEM, SRE, RAG, ARM, ROS, NATS, IAM, LoRA, ASR,
    TTS, CPA, CFA, AML, STL, Premiere, Illustrator, Maya, Blender, Confluence, Maven, Locust, Cypress, Playwright, Jest, Mocha,
    Yarn, Spark, MQ, HR, OTP, KYC, DCF, SLAM, PRD, TCP
  `,
  midway: `
    Go, Next, Nest, Node, Express, Spring, Gin, Chef, Excel, Word, Sketch, Notion, Shell, Julia, Koa, Vite, Rollup, Bun, Canvas,
    Less, Lambda, Transformers, Torch, Oracle, Apex, Unity, Remix, Astro, Capacitor, Amplitude, Prefect, Envoy
  `,
  context: `
    C, R, AI, ML, TS, PY, CAD, MAUI, Embedded, Prospecting, Coaching, Compiler, Algorithm, Lean, Sales, Tax, Audit, Crawling,
    Payments, Patents, Purchasing, Typography, English, Chinese, Japanese, Korean, German, French, Spanish, Portuguese, Italian,
    Russian, Arabic, Dutch, Polish, Hindi, Thai, Vietnamese, Indonesian
  `,
} as const

/**
 * How a name must stand to be the skill. `exact`: with its capitals. `midway`: so, and not where a sentence gives it
 * its capital. `context`: even then something beside it must say so, as another skill in the same list, or a word
 * like "fluent" or "developer".
 */
export type Doubt = { readonly needs: keyof typeof lists; readonly spelled: string }

function read(needs: keyof typeof lists): readonly (readonly [string, Doubt])[] {
  const names = lists[needs].split(',').map((name) => name.trim())
  return names.map((spelled) => [spelled.toLowerCase(), { needs, spelled }])
}

/** The doubtful names in small letters. */
export const doubts: ReadonlyMap<string, Doubt> = new Map([
  ...read('exact'),
  ...read('midway'),
  ...read('context'),
])
