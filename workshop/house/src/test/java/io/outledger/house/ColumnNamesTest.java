// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Our tables' columns need no quotes in any database that we have or shall have. */
class ColumnNamesTest {

  private static final Pattern TABLE =
      Pattern.compile(
          "^CREATE (?:MEMORY )?TABLE [^(]+\\(\\R(.*?)^\\)", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern COLUMN = Pattern.compile("^  (\"?\\w+\"?) +\\S", Pattern.MULTILINE);
  private static final Set<String> NO_COLUMNS =
      Set.of("constraint", "foreign", "key", "primary", "unique");

  /** Reserved in PostgreSQL 15 to 18, H2 2, MySQL 8.4, MariaDB 10.11 to 11 or SQLite 3. */
  private static final Set<String> RESERVED =
      words(
          """
          accessible add all alter analyse analyze and any array as asc asensitive asymmetric
          authorization autoincrement before between bigint binary blob both by call cascade case
          cast change char character check collate collation column commit concurrently condition
          constraint continue convert create cross cube cume_dist current_catalog current_date
          current_path current_role current_schema current_time current_timestamp current_user
          cursor database databases day day_hour day_microsecond day_minute day_second dec decimal
          declare default deferrable delayed delete delete_domain_id dense_rank desc describe
          deterministic distinct distinctrow div do do_domain_ids double drop dual each else elseif
          empty enclosed end escape escaped except exists exit explain false fetch first_value
          float float4 float8 for force foreign freeze from full fulltext function generated get
          grant group grouping groups having high_priority hour hour_microsecond hour_minute
          hour_second if ignore ignore_domain_ids ilike in index infile initially inner inout
          insensitive insert int int1 int2 int3 int4 int8 integer intersect interval into
          io_after_gtids io_before_gtids is isnull iterate join json_table key keys kill lag
          last_value lateral lead leading leave left like limit linear lines load localtime
          localtimestamp lock long longblob longtext loop low_priority manual master_bind
          master_heartbeat_period master_ssl_verify_server_cert match maxvalue mediumblob mediumint
          mediumtext middleint minus minute minute_microsecond minute_second mod modifies month
          natural no_write_to_binlog not nothing notnull nth_value ntile null numeric of offset on
          only optimize optimizer_costs option optionally or order out outer outfile over overlaps
          page_checksum parallel parse_vcol_expr partition percent_rank placing precision primary
          procedure purge qualify range rank read read_write reads real recursive ref_system_id
          references regexp release rename repeat replace require resignal restrict return
          returning revoke right rlike row row_number rownum rows schema schemas second
          second_microsecond select sensitive separator session_user set show signal similar
          smallint some spatial specific sql sql_big_result sql_calc_found_rows sql_small_result
          sqlexception sqlstate sqlwarning ssl starting stats_auto_recalc stats_persistent
          stats_sample_pages stored straight_join symmetric system system_user table tablesample
          terminated then tinyblob tinyint tinytext to top trailing transaction trigger true uescape
          undo union unique unknown unlock unsigned update usage use user using utc_date utc_time
          utc_timestamp value values varbinary varchar varcharacter variadic varying verbose virtual
          when where while window with write xor year year_month zerofill _rowid_\
          """);

  static List<Path> schemas() {
    return ProjectFiles.endingIn("__ledger.sql");
  }

  @ParameterizedTest
  @MethodSource("schemas")
  void needNoQuotes(Path schema) {
    Set<String> columns = columns(ProjectFiles.read(schema));
    assertThat(columns).contains("message_key", "partition_no", "payload");
    assertThat(columns)
        .doesNotContainAnyElementsOf(RESERVED)
        .allMatch(name -> !name.contains("\""));
  }

  private static Set<String> columns(String sql) {
    return TABLE
        .matcher(sql)
        .results()
        .flatMap(table -> COLUMN.matcher(table.group(1)).results())
        .map((MatchResult column) -> column.group(1).toLowerCase(Locale.ROOT))
        .filter(name -> !NO_COLUMNS.contains(name))
        .collect(Collectors.toSet());
  }

  private static Set<String> words(String text) {
    return Stream.of(text.split("\\s+")).collect(Collectors.toSet());
  }
}
