// A model on loopback that says what a test tells it to, in place of the Messages API.
import { randomUUID } from 'node:crypto';
import http from 'node:http';

export const say = (text) => ({ type: 'text', text });
export const call = (name, input = {}) => ({ type: 'tool_use', name, input });

/** A turn after which the context holds so many tokens. */
export const holding = (tokens, blocks) => Object.assign([...blocks], { tokens });

const flatten = (content) =>
  typeof content === 'string' ? content : (content ?? []).map((block) => block.text ?? '').join('\n');

/** Whose turn a request is: the main agent's, a subagent's, a summary for compaction, or a side errand. */
function roleOf(headers, body) {
  // What a hook said stands behind the request for a summary.
  const last = (body.messages ?? []).slice(-2).map(({ content }) => flatten(content)).join('\n');
  if (/Respond with TEXT ONLY|detailed summary of the conversation/.test(last)) return 'compact';
  if (headers['x-claude-code-agent-id']) return 'sub';
  return body.tools?.length ? 'main' : 'side';
}

function events(body, blocks, tokens) {
  const stop = blocks.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn';
  const message = {
    id: `msg_${randomUUID()}`, type: 'message', role: 'assistant', model: body.model, content: [],
    stop_reason: null, stop_sequence: null, usage: { input_tokens: tokens - 1, output_tokens: 1 },
  };
  return [
    { type: 'message_start', message },
    ...blocks.flatMap((block, index) => {
      const text = block.type === 'text';
      return [
        { type: 'content_block_start', index, content_block: text ? { type: 'text', text: '' } : { ...block, input: {} } },
        {
          type: 'content_block_delta',
          index,
          delta: text
            ? { type: 'text_delta', text: block.text }
            : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
        },
        { type: 'content_block_stop', index },
      ];
    }),
    { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ];
}

/**
 * Serves a script `{main: [turn…], sub: [turn…]}`; a turn is a list of blocks, or a function that makes one.
 * Who has no turn left says "done".
 */
export async function model(script) {
  const left = { main: [...(script.main ?? [])], sub: [...(script.sub ?? [])] };
  const requests = [];
  const turn = async (role, body) => {
    if (role === 'compact') return [say('<summary>What was said so far.</summary>')];
    const next = left[role]?.shift();
    return (typeof next === 'function' ? await next(body) : next) ?? [say('done')];
  };
  const server = http.createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    if (request.method !== 'POST' || !/^\/v1\/messages(\?|$)/.test(request.url)) {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end('{"type":"error","error":{"type":"not_found_error","message":"not served"}}');
      return;
    }
    const body = JSON.parse(text);
    const role = roleOf(request.headers, body);
    requests.push({ role, body, text });
    const said = await turn(role, body);
    const blocks = said.map((block) =>
      // A resumed conversation holds the calls of the one before.
      block.type === 'tool_use' ? { ...block, id: `toolu_${randomUUID().replaceAll('-', '')}` } : block);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events(body, blocks, said.tokens ?? 11)) {
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    }
    response.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    /** What the tools answered, as `role` was shown it, by the latest request of each conversation. */
    results(role) {
      const seen = new Map();
      for (const { body } of requests.filter((request) => request.role === role)) {
        const blocks = body.messages.flatMap((message) => (Array.isArray(message.content) ? message.content : []));
        const names = new Map(blocks.filter((block) => block.type === 'tool_use').map((block) => [block.id, block.name]));
        for (const block of blocks.filter((block) => block.type === 'tool_result')) {
          seen.set(block.tool_use_id, {
            name: names.get(block.tool_use_id),
            error: block.is_error === true,
            text: flatten(block.content),
          });
        }
      }
      return [...seen.values()];
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
