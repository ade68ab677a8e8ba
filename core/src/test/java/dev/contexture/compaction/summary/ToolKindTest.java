package dev.contexture.compaction.summary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What tools do, by declaration, name and arguments (T-77). */
class ToolKindTest {
  @ParameterizedTest
  @CsvSource({
    "react.write, WRITE",
    "fs.writeFile, WRITE",
    "fs/write_file, WRITE",
    "mcp__files__write-file, WRITE",
    "Write, WRITE",
    "createFile, WRITE",
    "applyPatch, PATCH",
    "apply_patch, PATCH",
    "MultiEdit, PATCH",
    "NotebookEdit, PATCH",
    "str_replace_based_edit_tool, PATCH",
    "find_and_replace, PATCH",
    "editor.file, PATCH",
    "runCommand, EXECUTE",
    "terminal.run, EXECUTE",
    "Bash, EXECUTE",
    "HTTPShell, EXECUTE",
    "exec_tools.execute_code_python, EXECUTE",
    "read_file, READ",
    "readFile, READ",
    "getPatch, READ",
    "list_edits, READ",
    "git.showCommand, READ",
    "view, READ",
    "file_read, READ",
    "web_search, READ",
    "react.memsearch, SEARCH_MEMORY",
    "react.memory_read, SEARCH_MEMORY",
    "memSearch, SEARCH_MEMORY",
    "book_flight, OTHER",
    "spreadsheet, OTHER",
    "thread_counter, OTHER"
  })
  void isToldByTheWordsOfTheNameInAnySpelling(String tool, ToolKind kind) {
    assertThat(ToolKind.of(tool)).isEqualTo(kind);
  }

  @Test
  void aToolWithoutNameIsOther() {
    assertThat(ToolKind.of(null)).isEqualTo(ToolKind.OTHER);
  }

  @ParameterizedTest
  @CsvSource({"view, READ", "create, WRITE", "str_replace, PATCH", "insert, PATCH", "other, PATCH"})
  void theCommandOfAnEditorSaysWhatItDid(String command, ToolKind kind) {
    JsonObject params = JsonObject.of("command", JsonValue.of(command));
    assertThat(ToolKind.of("str_replace_based_edit_tool").narrowedBy(params)).isEqualTo(kind);
  }

  @Test
  void theCommandOfAShellIsNoWordAboutTheTool() {
    JsonObject params = JsonObject.of("command", JsonValue.of("cat"));
    assertThat(ToolKind.of("run").narrowedBy(params)).isEqualTo(ToolKind.EXECUTE);
  }

  @Test
  void namesOnTheWireAreReadBack() {
    for (ToolKind kind : ToolKind.values()) {
      assertThat(ToolKind.named(kind.wireName())).contains(kind);
    }
    assertThat(ToolKind.named("writes")).isEmpty();
  }
}
