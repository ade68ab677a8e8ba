package dev.contexture.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The tools of others over blocks. */
@Timeout(300)
class McpProfilesTest extends McpSessionCase {
  @Test
  void keepsAGraphAsTheReferenceServerDoes() {
    String ann = "{'name':'Ann Ö','entityType':'person','observations':['likes tea']}";
    assertThat(done("create_entities", "{'entities':[" + ann + "," + ann + "]}"))
        .isEqualTo(json("{'entities':[" + ann + "]}").toJson());
    assertThat(done("create_entities", "{'entities':[" + ann + "]}"))
        .isEqualTo("{\"entities\":[]}");
    String knows = "{'from':'Ann Ö','to':'Bob','relationType':'knows'}";
    String back = "{'from':'Bob','to':'Ann Ö','relationType':'trusts'}";
    assertThat(done("create_relations", "{'relations':[" + knows + "," + back + "]}"))
        .contains("knows", "trusts");
    assertThat(done("create_relations", "{'relations':[" + knows + "]}"))
        .isEqualTo("{\"relations\":[]}");
    assertThat(
            done(
                "add_observations",
                "{'observations':[{'entityName':'Ann Ö','contents':['likes tea','is tall']}]}"))
        .contains("\"addedObservations\":[\"is tall\"]");
    assertThat(
            refused("add_observations", "{'observations':[{'entityName':'Bob','contents':['x']}]}"))
        .contains("there is no entity 'Bob'");
    assertThat(done("search_nodes", "{'query':'TEA'}")).contains("Ann Ö", "knows", "trusts");
    assertThat(done("search_nodes", "{'query':'coffee'}"))
        .isEqualTo("{\"entities\":[],\"relations\":[]}");
    done(
        "create_entities", "{'entities':[{'name':'Bob','entityType':'person','observations':[]}]}");
    assertThat(done("open_nodes", "{'names':['Bob']}"))
        .contains("\"name\":\"Bob\"", "knows", "trusts")
        .doesNotContain("is tall");
    done(
        "delete_observations", "{'deletions':[{'entityName':'Ann Ö','observations':['is tall']}]}");
    done("delete_relations", "{'relations':[" + back + "]}");
    assertThat(done("read_graph", "{}"))
        .contains("likes tea", "knows")
        .doesNotContain("is tall", "trusts");
    done("delete_entities", "{'entityNames':['Bob']}");
    assertThat(done("read_graph", "{}"))
        .isEqualTo(json("{'entities':[" + ann + "],'relations':[]}").toJson());
  }

  @Test
  void keepsFilesAsAnthropicsMemoryToolDoes() {
    done("memory", "{'command':'create','path':'/memories/a/b.md','file_text':'one\\ntwo\\n'}");
    assertThat(done("memory", "{'command':'view','path':'/memories'}"))
        .contains("/memories/a/b.md");
    assertThat(done("memory", "{'command':'view','path':'/memories/a/b.md'}"))
        .isEqualTo("     1\tone\n     2\ttwo\n");
    assertThat(done("memory", "{'command':'view','path':'/memories/a/b.md','view_range':[2,-1]}"))
        .isEqualTo("     2\ttwo\n");
    done(
        "memory",
        "{'command':'str_replace','path':'/memories/a/b.md','old_str':'one','new_str':'1'}");
    done(
        "memory",
        "{'command':'insert','path':'/memories/a/b.md','insert_line':1,'insert_text':'x'}");
    done(
        "memory",
        "{'command':'insert','path':'/memories/a/b.md','insert_line':3,'insert_text':'end'}");
    assertThat(done("memory_read", "{'label':'a:b.md'}")).isEqualTo("1\nx\ntwo\nend\n");
    assertThat(
            refused(
                "memory",
                "{'command':'str_replace','path':'/memories/a/b.md','old_str':'\\n','new_str':''}"))
        .startsWith("no_match: ");
    done("memory", "{'command':'rename','old_path':'/memories/a','new_path':'/memories/c'}");
    assertThat(done("memory", "{'command':'view','path':'/memories/c/b.md'}")).contains("two");
    assertThat(refused("memory", "{'command':'view','path':'/memories/a'}"))
        .contains("there is no");
    for (String path : List.of("/etc/passwd", "/memories/../x", "/memories/a b", "/memories//x")) {
      assertThat(refused("memory", "{'command':'create','path':'" + path + "','file_text':''}"))
          .startsWith("invalid_path: ");
    }
    done("memory", "{'command':'delete','path':'/memories/c'}");
    assertThat(done("memory", "{'command':'view','path':'/memories'}")).startsWith("0 files");
  }
}
