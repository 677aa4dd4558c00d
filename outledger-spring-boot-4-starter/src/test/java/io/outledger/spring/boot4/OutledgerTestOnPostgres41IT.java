// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import io.outledger.spring.contract.mails.OutledgerTestOnPostgresContract;

/** A test slice on this line of Spring Boot. */
class OutledgerTestOnPostgres41IT extends OutledgerTestOnPostgresContract {}
