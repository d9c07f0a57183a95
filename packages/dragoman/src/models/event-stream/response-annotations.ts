import { number, object, objects, text, type JsonObject, type LooseObject } from './json-fields.ts'

export const ANNOTATION_ADDED = 'response.output_text.annotation.added'

/**
 * The sources of an answer. Some servers name them with the end of an item, or of the answer, alone, and leave out
 * fields that the package demands.
 */
export function createAnnotations() {
  const targets = new Set<string>()
  const toEvent = (annotation: JsonObject): LooseObject[] => {
    const target = targetOf(annotation)
    if (target === undefined) return []
    targets.add(target)
    return [{ type: ANNOTATION_ADDED, annotation: repairAnnotation(annotation, target) }]
  }
  return {
    add(event: JsonObject): LooseObject[] {
      const repaired = toEvent(object(event['annotation']) ?? {})
      return repaired.length === 0 ? [event] : repaired
    },
    /** Those of an item at its end that have not arrived. */
    late(item: JsonObject): LooseObject[] {
      return objects(item['type'] === 'message' ? (item['content'] ?? []) : [])
        .flatMap((part) => objects(part['annotations'] ?? []))
        .filter((annotation) => !targets.has(targetOf(annotation) ?? ''))
        .flatMap(toEvent)
    },
  }
}

/** The fields of an annotation. Chat completions have them in an object of their own. */
function fieldsOf(annotation: JsonObject): JsonObject {
  return object(annotation[text(annotation['type']) ?? '']) ?? annotation
}

function targetOf(annotation: JsonObject): string | undefined {
  const { url, file_id: fileId } = fieldsOf(annotation)
  return text(url) ?? text(fileId)
}

function repairAnnotation(annotation: JsonObject, target: string): LooseObject {
  const fields = fieldsOf(annotation)
  return {
    ...fields,
    type: annotation['type'],
    title: text(fields['title']) || target,
    filename: text(fields['filename']) ?? target,
    start_index: number(fields['start_index']) ?? 0,
    end_index: number(fields['end_index']) ?? 0,
    index: number(fields['index']) ?? 0,
    container_id: text(fields['container_id']) ?? '',
  }
}
