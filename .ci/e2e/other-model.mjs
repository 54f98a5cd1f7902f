// A model on loopback that says what a test tells it to, in the words of three interfaces: OpenAI's Responses (Codex) and
// Chat Completions (OpenCode), and Gemini's generateContent.
import { randomUUID } from 'node:crypto';
import http from 'node:http';

export const say = (text) => ({ text });
/** A call of a tool; `input` is an object, or the text that stands for one. */
export const call = (name, input = {}, more = {}) => ({ name, input, ...more });
/** A call whose input is a text of a form of its own (Codex's `apply_patch`). */
export const custom = (name, input) => ({ custom: name, input });
/** A client's search for tools that it holds back. */
export const search = (query) => ({ search: query });

const words = (input) => (typeof input === 'string' ? input : JSON.stringify(input));
const id = (kind) => `${kind}_${randomUUID().replaceAll('-', '')}`;
const data = (value) => `data: ${JSON.stringify(value)}\n\n`;

function responses(blocks) {
  const item = ({ text, search: query, custom: free, name, input, namespace }) => {
    if (text !== undefined) return { type: 'message', id: id('msg'), role: 'assistant', content: [{ type: 'output_text', text }] };
    const called = { id: id('fc'), call_id: id('call') };
    if (query) return { ...called, type: 'tool_search_call', execution: 'client', status: 'completed', arguments: { query } };
    if (free) return { ...called, type: 'custom_tool_call', name: free, input, status: 'completed' };
    return { ...called, type: 'function_call', name, ...(namespace && { namespace }), arguments: words(input) };
  };
  const response = { id: id('resp') };
  const usage = { input_tokens: 10, input_tokens_details: null, output_tokens: 1, output_tokens_details: null, total_tokens: 11 };
  const events = [
    { type: 'response.created', response },
    ...blocks.map((block, at) => ({ type: 'response.output_item.done', output_index: at, item: item(block) })),
    { type: 'response.completed', response: { ...response, usage } },
  ];
  return events.map((event) => `event: ${event.type}\n${data(event)}`);
}

function completions(blocks, { model }) {
  const chunk = (delta, finish_reason = null) =>
    data({ id: 'c', object: 'chat.completion.chunk', created: 1, model, choices: [{ index: 0, delta, finish_reason }] });
  const calls = blocks.filter(({ name }) => name);
  const asked = calls.map(({ name, input }, index) =>
    ({ index, id: id('call'), type: 'function', function: { name, arguments: words(input) } }));
  return [
    ...blocks.filter(({ text }) => text).map(({ text }) => chunk({ role: 'assistant', content: text })),
    ...asked.map((tool) => chunk({ role: 'assistant', tool_calls: [tool] })),
    chunk({}, calls.length ? 'tool_calls' : 'stop'),
    'data: [DONE]\n\n',
  ];
}

function generated(blocks) {
  const parts = blocks.map(({ text, name, input }) => (name ? { functionCall: { name, args: input } } : { text }));
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 1, totalTokenCount: 11 };
  return { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }], usageMetadata };
}

/** What a Gemini client asks for beside the conversation: which model, who speaks next, a title. */
const ERRAND = '{"reasoning":"none","next_speaker":"user","model_choice":"flash","complexity_reasoning":"x","complexity_score":1}';

/**
 * Serves turns one after the other; a turn is a list of blocks, or a function of the request that makes one. Where none is
 * left it says "done"; what asks without tools is an errand beside the conversation.
 */
export async function model(turns) {
  const left = [...turns];
  const requests = [];
  const take = async (body) => {
    const next = left.shift();
    return (typeof next === 'function' ? await next(body) : next) ?? [say('done')];
  };
  const server = http.createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const stream = (parts) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(parts.join(''));
    };
    const json = (status, value) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    const { url } = request;
    if (!/\/responses$|\/chat\/completions$|enerateContent/.test(url.replace(/\?.*/, ''))) {
      json(404, { error: { message: 'not served', code: 404, status: 'NOT_FOUND' } });
      return;
    }
    const body = JSON.parse(text);
    const isMain = Boolean(body.tools?.some((tool) => !('functionDeclarations' in tool) || tool.functionDeclarations.length));
    if (isMain) requests.push({ body, text });
    const blocks = isMain ? await take(body) : [say(body.generationConfig?.responseMimeType === 'application/json' ? ERRAND : 'A title')];
    if (url.includes('/responses')) stream(responses(blocks));
    else if (url.includes('/chat/completions')) stream(completions(blocks, body));
    else if (url.includes(':streamGenerateContent')) stream([data(generated(blocks))]);
    else json(200, generated(blocks));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: server.address().port,
    requests,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
