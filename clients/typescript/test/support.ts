// A proxy that loses answers, and a model that says what it is told to.

import { randomUUID } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { Contexture } from "../src/index.js";

export const URL_OF_SERVER = process.env["CONTEXTURE_URL"] ?? "http://127.0.0.1:8321";

/** The user and the id of a conversation that nobody else has. */
export function newNames(): [string, string] {
  return ["u" + randomUUID().slice(0, 8), "c1"];
}

/**
 * Between client and server; plan says what happens to calls whose path ends so, in their order. lose:
 * the server does it, and the answer is lost. busy: 503 with Retry-After, nothing is done. cut: the
 * answer breaks off behind its first event.
 */
export class Proxy {
  plan: [string, "lose" | "busy" | "cut"][] = [];
  private readonly server = http.createServer((call, answer) => this.handle(call, answer));

  async start(): Promise<string> {
    return listening(this.server);
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private handle(call: http.IncomingMessage, answer: http.ServerResponse): void {
    const path = (call.url ?? "").replace(/\?.*/, "");
    const happens = this.plan[0] && path.endsWith(this.plan[0][0]) ? this.plan.shift()?.[1] : undefined;
    if (happens === "busy") {
      call.resume();
      answer.writeHead(503, { "Retry-After": "1", "Content-Type": "application/problem+json" });
      answer.end('{"code":"store_unavailable","status":503,"detail":"busy"}');
      return;
    }
    const { host, ...headers } = call.headers;
    const to = http.request(URL_OF_SERVER + call.url, { method: call.method ?? "GET", headers, agent: false }, (got) => {
      if (happens === "lose") {
        got.resume().on("end", () => call.socket.destroy());
        return;
      }
      answer.writeHead(got.statusCode ?? 500, { "Content-Type": got.headers["content-type"] ?? "" });
      got.on("data", (chunk: Buffer) => {
        const at = happens === "cut" ? chunk.indexOf("data:") : -1;
        const end = at < 0 ? -1 : chunk.indexOf("\n", at);
        if (end < 0) {
          answer.write(chunk);
        } else {
          answer.write(chunk.subarray(0, end), () => call.socket.destroy());
          got.destroy();
        }
      });
      got.on("end", () => answer.end());
      got.on("error", () => answer.destroy());
    });
    to.on("error", () => call.socket.destroy());
    call.socket.on("close", () => to.destroy());
    call.pipe(to);
  }
}

/** A provider that says what it is told to, one answer after the other. */
export class Model {
  private readonly server = http.createServer((call, answer) => {
    call.resume().on("end", () => {
      answer.writeHead(200, { "Content-Type": "application/json" });
      answer.end(this.answers.shift());
    });
  });

  constructor(private readonly answers: string[]) {}

  async start(): Promise<string> {
    return (await listening(this.server)) + "/v1/messages";
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

async function listening(server: http.Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function direct(): Contexture {
  return new Contexture(URL_OF_SERVER);
}
