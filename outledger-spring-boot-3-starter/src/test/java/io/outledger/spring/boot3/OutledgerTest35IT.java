// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import io.outledger.spring.contract.mails.OutledgerTestContract;

/** A test slice on this line of Spring Boot. */
class OutledgerTest35IT extends OutledgerTestContract {}
