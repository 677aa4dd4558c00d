// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import io.outledger.spring.contract.mails.OutledgerTestByFileContract;

/** On this line of Spring Boot. */
class OutledgerTestByFile41IT extends OutledgerTestByFileContract {}
