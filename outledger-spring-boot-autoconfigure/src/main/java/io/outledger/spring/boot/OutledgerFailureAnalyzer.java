// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.OutledgerException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what to do where Outledger stops a start. */
class OutledgerFailureAnalyzer extends AbstractFailureAnalyzer<OutledgerException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, OutledgerException cause) {
    return new FailureAnalysis(cause.getMessage(), action(cause), cause);
  }

  private static String action(OutledgerException failure) {
    return switch (failure.code()) {
      case SCHEMA_MISSING, SCHEMA_OLDER ->
          "Create or upgrade the tables. Where the application may create tables, set"
              + " outledger.schema-initialization=always. Else put the SQL that"
              + " Schema.of(dataSource).print() returns into a migration, of Flyway or Liquibase"
              + " for instance.";
      case SCHEMA_NEWER -> "Use the release of Outledger that made the tables, or a newer one.";
      case UNSUPPORTED_DATABASE ->
          "Do what is said above: add the module of the database beside the starter, or set what"
              + " its module needs.";
      case UNREGISTERED_TYPE ->
          "Annotate the class with @OutboxEvent(name = …, topic = …, key = …), in a package that is"
              + " scanned, or register it in an EventTypesCustomizer bean.";
      case STORE_UNAVAILABLE ->
          "Check that the database of spring.datasource.url can be reached, and that"
              + " spring.datasource.username and spring.datasource.password are right.";
      default ->
          "Correct what is named above. Outledger's documents explain "
              + failure.code().code()
              + " under \"Errors\".";
    };
  }
}
