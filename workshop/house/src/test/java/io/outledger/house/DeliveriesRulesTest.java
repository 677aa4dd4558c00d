// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.outledger.receive.Arrival;
import io.outledger.receive.Deliveries;
import org.junit.jupiter.api.Test;

/** What every broker's consumer does alike, read off the compiled product. */
class DeliveriesRulesTest {

  private static final JavaClasses PRODUCT =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.outledger");

  /** Otherwise a delivery whose reading fails would end its consumer again and again. */
  @Test
  void eachConsumerReadsItsDeliveriesSoThatNoFailureEndsIt() {
    classes()
        .that()
        .implement(Deliveries.class)
        .should()
        .callMethod(Arrival.class, "read", Object.class, int.class, Arrival.Reading.class)
        .check(PRODUCT);
  }
}
