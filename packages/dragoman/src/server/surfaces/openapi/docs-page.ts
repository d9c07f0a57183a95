import { html } from 'hono/html'

import type { Json } from '../../../events/index.ts'
import type { OpenApiDocument, Parameter, PathOperation, Response, Schema } from './document.ts'
import { curlExample } from './curl-example.ts'
import type { Markup } from '../html-page.ts'
import { renderSchema } from './render-schema.ts'

type Listed = { readonly verb: string; readonly path: string; readonly operation: PathOperation }

/** The routes by chapter, each with what it takes and gives, and a command that works. */
export function docsPage(document: OpenApiDocument, origin: string): Markup {
  const listed = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]): Listed => ({ verb, path, operation })),
  )
  const groups = Map.groupBy(listed, ({ operation }) => operation.tags[0] ?? '')
  return html`<h1>Every route</h1>
    <p class="quiet">
      <a href="./">dragoman</a> ${document.info.version} · The same for programs:
      <a href="./openapi.json">openapi.json</a>
    </p>
    <nav aria-label="Chapters">
      <ul>
        ${Array.from(groups.keys(), (name) => html`<li><a href="#${anchor(name)}">${name}</a></li>`)}
        <li><a href="#shapes">Shapes</a></li>
      </ul>
    </nav>
    <main>
      ${Array.from(
        groups,
        ([name, routes]) =>
          html`<h2 id="${anchor(name)}">${name}</h2>
            ${routes.map((route) => routeOf(route, document, origin))}`,
      )}
      <h2 id="shapes">Shapes</h2>
      ${Object.entries(document.components.schemas).map(
        ([name, schema]) =>
          html`<details>
            <summary><code>${name}</code>${quiet(schema['description'])}</summary>
            ${wordsIn(schema, document)}
          </details>`,
      )}
    </main>`
}

/** A schema, with a way from each name in it to the shape that has it. */
function wordsIn(schema: Schema, { components }: OpenApiDocument): Markup {
  const words = renderSchema(schema).split(/\b([A-Z]\w+)\b/)
  const name = Object.entries(components.schemas).find(([, held]) => held === schema)?.[0]
  return html`<pre tabindex="0" ${name === undefined ? '' : html`id="${anchor(name)}"`}><code>${words.map(
    (word) => (Object.hasOwn(components.schemas, word) ? html`<a href="#${anchor(word)}">${word}</a>` : word),
  )}</code></pre>`
}

function anchor(name: string): string {
  return name.toLowerCase().replace(/\W+/g, '-')
}

function quiet(words: Json | undefined): Markup | string {
  return typeof words === 'string' ? html`<span class="quiet">${words}</span>` : ''
}

function routeOf({ verb, path, operation }: Listed, document: OpenApiDocument, origin: string): Markup {
  const { summary, description, parameters, requestBody, responses } = operation
  const body = requestBody?.content['application/json']?.schema
  const form = requestBody?.content['multipart/form-data']?.schema
  return html`<details id="${operation.operationId}">
    <summary>
      <code class="verb">${verb.toUpperCase()}</code><code>${path}</code><span class="quiet">${summary}</span>
    </summary>
    ${description === undefined ? '' : html`<p>${description}</p>`}
    <pre tabindex="0"><code>${curlExample({ verb, path, operation }, document, origin)}</code></pre>
    ${
      parameters.length === 0
        ? ''
        : html`<h3>Parameters</h3>
            <dl>${parameters.map(parameterOf)}</dl>`
    }
    ${
      body === undefined
        ? ''
        : html`<h3>Body</h3>
            ${wordsIn(body, document)}`
    }
    ${
      form === undefined
        ? ''
        : html`<h3>Form</h3>
            ${wordsIn(form, document)}`
    }
    ${Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([status, answer]) => answerOf(status, answer, document))}
    <h3>Failures</h3>
    <dl>
      ${Object.entries(responses)
        .filter(([status]) => !status.startsWith('2'))
        .map(
          ([status, { description: words }]) =>
            html`<dt>${status === 'default' ? 'otherwise' : status}</dt>
              <dd>${words}</dd>`,
        )}
    </dl>
  </details>`
}

function parameterOf({ name, in: place, required, schema }: Parameter): Markup {
  const where = place === 'query' ? '' : ` (${place})`
  return html`<dt><code>${name}</code><span class="quiet">${where}</span></dt>
    <dd>
      ${schema['description'] ?? ''}
      <code class="quiet">${renderSchema(schema)}${required ? '' : ', optional'}</code>
    </dd>`
}

function answerOf(status: string, answer: Response, document: OpenApiDocument): Markup {
  return html`<h3>${status}</h3>
    <p>${answer.description}</p>
    ${headersOf(answer.headers)}
    ${Object.entries(answer.content ?? {}).map(([type, content]) => contentOf(type, content, document))}`
}

function headersOf(headers: Response['headers'] = {}): Markup | string {
  const listed = Object.entries(headers)
  if (listed.length === 0) return ''
  return html`<dl>
    ${listed.map(
      ([name, { description }]) =>
        html`<dt><code>${name}</code></dt>
          <dd>${description}</dd>`,
    )}
  </dl>`
}

type Content = NonNullable<Response['content']>[string]

function contentOf(
  type: string,
  { schema = {}, examples = {} }: Content,
  document: OpenApiDocument,
): Markup | string {
  const list = Object.entries(examples)
  if (list.length === 0) return schema['type'] === 'string' ? '' : wordsIn(schema, document)
  return html`${list.map(
    ([dialect, { value }]) =>
      html`<details>
        <summary><code>${dialect}</code><span class="quiet">${type}</span></summary>
        <pre tabindex="0"><code>${textOf(value)}</code></pre>
      </details>`,
  )}`
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value.trim() : JSON.stringify(value, null, 2)
}
