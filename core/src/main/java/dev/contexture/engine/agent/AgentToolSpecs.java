package dev.contexture.engine.agent;

import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.search.SearchMode;
import dev.contexture.tool.ToolSpec;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The specifications of the built-in tools, as a model gets them. The texts are part of prompts:
 * keep them stable.
 */
final class AgentToolSpecs {
  static final ToolSpec BLOCK =
      ToolSpec.of(
          "block",
          """
          Manages your memory blocks: labelled documents that you keep. list: all blocks, yours and \
          those shared with you. info: settings and schema of one. load: its content, or some lines; \
          changes nothing. create: a new empty block (then write with block_edit). delete. \
          pin, unpin: whether a Working block stays in your prompt. archive: out of the prompt, still \
          found by search. restore: back to Working. viewport: which lines of a long text your prompt \
          shows; without lines: all. share, unshare: lets another agent use it. A label is one of \
          yours, else of a block shared with you; owner/label names the owner.\
          """,
          """
          {"type":"object","properties":{
          "op":{"type":"string","enum":["list","info","load","create","delete","pin","unpin",\
          "archive","restore","viewport","share","unshare"]},
          "label":{"type":"string","description":"The block; for every op but list."},
          "description":{"type":"string","description":"create: what the block is for."},
          "type":{"type":"string","enum":["Working","Archival"],\
          "description":"create: Working (default) can be in the prompt, Archival is searched."},
          "schema":{"type":"object","description":"create: the shape of the content; default is \
          text. Examples: {\\"kind\\":\\"list\\"}, {\\"kind\\":\\"map\\",\\"fields\\":[{\\"name\\":\
          \\"status\\",\\"type\\":\\"text\\"},{\\"name\\":\\"score\\",\\"type\\":\\"counter\\"}]}."},
          "scope":{"type":"string","enum":["user","agent"],"description":"create: for the user of \
          this conversation (default), or agent: for all users, where that is allowed."},
          "start_line":{"type":"integer","minimum":1,\
          "description":"load, viewport: first line, from 1."},
          "display_lines":{"type":"integer","minimum":1,\
          "description":"load, viewport: how many lines."},
          "target_agent":{"type":"string","description":"share, unshare: the other agent, by name \
          or id."},
          "permission":{"type":"string","enum":@levels,"description":"share: what it may do; default Append."}},
          "required":["op"]}\
          """
              .replace("@levels", levels()));

  static final ToolSpec BLOCK_EDIT =
      ToolSpec.of(
          "block_edit",
          """
          Changes the content of a memory block; each call is one step that undo takes back. \
          append: content at the end, with no line feed of its own. replace: old by new (text \
          blocks). patch: a unified diff (text blocks). edit_range: puts content in the place of \
          lines start_line to end_line. set_field: a field of a map. insert_item, delete_item: items \
          of a list, from index 0. increment: a counter. undo, redo.\
          """,
          """
          {"type":"object","properties":{
          "op":{"type":"string","enum":["append","replace","patch","set_field","edit_range",\
          "insert_item","delete_item","increment","undo","redo"]},
          "label":{"type":"string","description":"The block, or owner/label."},
          "section":{"type":"string","description":"The section, if the block has sections."},
          "content":{"type":"string","description":"append: what is added. edit_range: the new \
          lines with their indentation; empty deletes the lines."},
          "old":{"type":"string","description":"replace: the text to be replaced, exactly as it \
          is; with mode regex a Java regular expression."},
          "new":{"type":"string","description":"replace: what takes its place; with mode regex $1 \
          is a group and $$ a dollar sign."},
          "mode":{"type":"string","enum":["first","all","nth","regex"],\
          "description":"replace: which occurrences; default first."},
          "n":{"type":"integer","minimum":1,"description":"replace with mode nth: which one, from \
          1."},
          "patch":{"type":"string","description":"patch: hunks with headers such as @@ -3,2 +3,3 \
          @@ whose counts are right."},
          "start_line":{"type":"integer","minimum":1,"description":"edit_range: first line, from \
          1."},
          "end_line":{"type":"integer","minimum":1,"description":"edit_range: last line, \
          inclusive."},
          "field":{"type":"string","description":"set_field, increment: the field."},
          "value":{"description":"set_field, insert_item: any JSON value that the schema allows."},
          "index":{"type":"integer","minimum":0,"description":"insert_item, delete_item: from 0; \
          insert_item at the length appends."},
          "by":{"type":"integer","description":"increment: may be negative; default 1."}},
          "required":["op","label"]}\
          """);

  static final ToolSpec RECALL =
      ToolSpec.of(
          "recall",
          """
          Your archive: texts that you keep for good, outside the prompt. insert: keeps a text. \
          search: finds kept texts, best first.\
          """,
          """
          {"type":"object","properties":{
          "op":{"type":"string","enum":["insert","search"]},
          "content":{"type":"string","description":"insert: the text, understandable by itself."},
          "metadata":{"type":"object","description":"insert: facts about it, for example \
          {\\"topic\\":\\"travel\\"}."},
          "scope":{"type":"string","enum":["user","agent"],"description":"insert: for the user of \
          this conversation (default), or agent: for all users, where that is allowed."},
          "query":{"type":"string","description":"search: words to look for."},
          "limit":{"type":"integer","minimum":1,"description":"search: the most hits; default \
          10."}},
          "required":["op"]}\
          """);

  static final ToolSpec SEARCH =
      ToolSpec.of(
          "search",
          """
          Finds what you know, best first: memory blocks, archived texts and what was said in \
          conversations.\
          """,
          """
          {"type":"object","properties":{
          "query":{"type":"string","description":"Words to look for; \\"quoted words\\" must stand \
          together."},
          "domain":{"type":"string","enum":["all","blocks","archival","conversations"],\
          "description":"Where; default all."},
          "limit":{"type":"integer","minimum":1,"maximum":100,"description":"The most hits; \
          default 20."},
          "mode":{"type":"string","enum":@modes,"description":"@meanings; default auto."},
          "role":{"type":"string","description":"Only messages of user, assistant, tool or \
          system."},
          "start_time":{"type":"string","description":"Nothing older: ISO-8601, or -30m, -24h, \
          -7d."},
          "end_time":{"type":"string","description":"Nothing as new or newer; as start_time."}},
          "required":["query"]}\
          """
              .replace("@modes", "[" + modes(mode -> '"' + mode.wireName() + '"', ",") + "]")
              .replace("@meanings", modes(mode -> mode.wireName() + ": " + mode.meaning(), "; ")));

  static final ToolSpec READ =
      ToolSpec.of(
          "react.read",
          """
          Shows again what paths of this conversation hold: results, files, attachments, messages, \
          sources. Use it for a path that a summary, a preview or a search names. What is visible \
          already is not repeated; a long text comes in parts, go on at next_offset.\
          """,
          """
          {"type":"object","properties":{
          "paths":{"type":"array","minItems":1,"maxItems":20,"description":"Paths such as \
          tc:turn_1.tc_a.result or fi:turn_1.files/report.md, or objects for a part of one.",\
          "items":{"anyOf":[{"type":"string"},{"type":"object","properties":{
          "path":{"type":"string"},
          "offset":{"type":"integer","minimum":0,"description":"The first character, from 0."},
          "limit":{"type":"integer","minimum":1,"description":"The most characters."}},
          "required":["path"]}]}}},
          "required":["paths"]}\
          """);

  static final ToolSpec HIDE =
      ToolSpec.of(
          "react.hide",
          """
          Replaces something in your context that you no longer need in full by a short note, to \
          make room. Only recent content can be hidden. Nothing is lost: react.read shows it \
          again.\
          """,
          """
          {"type":"object","properties":{
          "path":{"type":"string","description":"The path that is shown with the content."},
          "replacement":{"type":"string","description":"The note: what matters of it, in a \
          sentence."}},
          "required":["path"]}\
          """);

  static final ToolSpec MEMSEARCH =
      ToolSpec.of(
          "react.memsearch",
          """
          Finds earlier turns of this conversation by what was said or attached, also those that \
          are no longer in your context. Read a path of a hit with react.read.\
          """,
          """
          {"type":"object","properties":{
          "query":{"type":"string","description":"Words to look for."},
          "targets":{"type":"array","items":{"type":"string","enum":["user","assistant",\
          "attachment"]},"description":"Where; default all three."},
          "top_k":{"type":"integer","minimum":1,"maximum":50,"description":"The most turns; \
          default 5."},
          "days":{"type":"integer","minimum":1,"maximum":3650,"description":"How far back; default \
          365."}},
          "required":["query"]}\
          """);

  static final List<ToolSpec> OF_MEMORY = List.of(BLOCK, BLOCK_EDIT, RECALL, SEARCH);
  static final List<ToolSpec> OF_CONVERSATION = List.of(HIDE, MEMSEARCH, READ);
  static final List<ToolSpec> ALL =
      Stream.concat(OF_MEMORY.stream(), OF_CONVERSATION.stream())
          .sorted(Comparator.comparing(ToolSpec::name))
          .toList();

  private AgentToolSpecs() {}

  private static String modes(Function<SearchMode, String> text, String between) {
    return Stream.of(SearchMode.values()).map(text).collect(Collectors.joining(between));
  }

  private static String levels() {
    return Stream.of(MemoryPermission.values())
        .map(level -> '"' + level.identifier() + '"')
        .collect(Collectors.joining(",", "[", "]"));
  }

  static boolean ofConversation(ToolSpec tool) {
    return OF_CONVERSATION.contains(tool);
  }
}
